/** The script of the page. It takes the token of the console's session, so that who is signed in need not paste one. */
export const docsScript = `const at = (id) => document.getElementById(id)
const make = (name, facts = {}, ...inside) => {
  const element = Object.assign(document.createElement(name), facts)
  element.append(...inside)
  return element
}
const headers = () => ({ authorization: 'Bearer ' + at('token').value.trim() })
const say = (text) => { at('note').textContent = text }

const resolve = (api, schema) => (schema && schema.$ref ? schema.$ref.split('/').slice(1).reduce((found, key) => found[key], api) : schema)

function example(api, given, depth = 0) {
  const schema = resolve(api, given) ?? {}
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return example(api, choices[0], depth)
  if (schema.default !== undefined) return schema.default
  if (schema.enum) return schema.enum[0]
  if (schema.const !== undefined) return schema.const
  if (schema.type === 'object' && depth < 4) {
    const needed = schema.required ?? Object.keys(schema.properties ?? {})
    return Object.fromEntries(needed.map((name) => [name, example(api, schema.properties?.[name], depth + 1)]))
  }
  return { string: '', integer: schema.minimum > 0 ? schema.minimum : 0, number: 0, boolean: false, array: [] }[schema.type] ?? null
}

function field(parameter) {
  const input = make('input', { name: parameter.name, placeholder: parameter.description ?? '' })
  return { parameter, input, row: make('label', {}, parameter.name + (parameter.required ? ' *' : ''), input) }
}

const send = async ({ path, method, fields, body, output }) => {
  const query = new URLSearchParams()
  let address = '.' + path
  const own = headers()
  for (const { parameter, input } of fields) {
    const value = input.value
    if (parameter.in === 'path') address = address.replace('{' + parameter.name + '}', encodeURIComponent(value))
    else if (value !== '' && parameter.in === 'header') own[parameter.name] = value
    else if (value !== '') for (const one of parameter.schema.type === 'array' ? value.split(',') : [value]) query.append(parameter.name, one)
  }
  if (body) own['content-type'] = 'application/json'
  const answer = await fetch(address + (query.size ? '?' + query : ''), { method, headers: own, ...(body ? { body: body.value } : {}) })
  const text = await answer.text()
  const total = answer.headers.get('x-total-count')
  let shown = text
  try { shown = JSON.stringify(JSON.parse(text), null, 2) } catch {}
  output.textContent = answer.status + ' ' + answer.statusText + (total === null ? '' : ' · ' + total + ' rows') + '\\n' + shown
}

function call(api, path, method, operation) {
  const fields = (operation.parameters ?? []).map(field)
  const json = operation.requestBody?.content?.['application/json']
  const body = json ? make('textarea', { rows: 8, value: JSON.stringify(example(api, json.schema), null, 2), ariaLabel: 'Body' }) : undefined
  const output = make('pre', { hidden: true })
  const button = make('button', { type: 'button' }, 'Send')
  button.addEventListener('click', () => {
    output.hidden = false
    output.textContent = '…'
    send({ path, method: method.toUpperCase(), fields, body, output }).catch((error) => { output.textContent = String(error) })
  })
  const title = make('summary', {}, make('code', {}, method.toUpperCase() + ' ' + path), ' ' + (operation.summary ?? ''))
  const roles = make('small', {}, 'For: ' + operation['x-roles'].join(', '))
  return make('details', {}, title, roles, ...fields.map(({ row }) => row), ...(body ? [body] : []), make('p', {}, button), output)
}

async function load() {
  say('…')
  const answer = await fetch('openapi.json', { headers: headers() })
  const api = await answer.json()
  if (!answer.ok) return say([api.message].flat().join('; '))
  say(Object.keys(api.paths).length + ' addresses')
  const sections = api.tags.map(({ name, description }) => {
    const calls = Object.entries(api.paths).flatMap(([path, methods]) =>
      Object.entries(methods).filter(([, operation]) => operation.tags[0] === name).map(([method, operation]) => call(api, path, method, operation)))
    return make('section', {}, make('h2', {}, description ?? name), ...calls)
  })
  at('calls').replaceChildren(...sections)
  at('find').hidden = false
}

at('find').addEventListener('input', () => {
  const word = at('find').value.toLowerCase()
  for (const one of document.querySelectorAll('details')) one.hidden = !one.firstChild.textContent.toLowerCase().includes(word)
})
at('load').addEventListener('click', () => load().catch((error) => say(String(error))))

try {
  const session = JSON.parse(localStorage.getItem('ess-console.session') ?? 'null')
  const token = session?.session?.accessToken
  if (token) {
    at('token').value = token
    await load()
  }
} catch {}
`
