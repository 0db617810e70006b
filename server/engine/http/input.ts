import type { FastifyInstance } from 'fastify'
import type { ZodType } from 'zod'
import { faultsOf } from '#schema/faults.ts'
import { isObject } from '#schema/is-object.ts'
import { invalid, problem } from '#server/base/problems.ts'

const maxDepth = 32
const maxParameters = 500
const poison = /["']?(?:__proto__|constructor|prototype)["']?/
const poisoned = Symbol('poisoned')

/** A repeated key becomes a list, in order. Suspicious input is marked and refused later. */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string | symbol, string | string[]> = Object.create(null)
  const parameters = [...new URLSearchParams(text)]
  for (const [key, value] of parameters.slice(0, maxParameters)) {
    const known = query[key]
    query[key] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
    if (poison.test(key) || /[[\]]/.test(key)) query[poisoned] = key
  }
  if (parameters.length > maxParameters) query[poisoned] = 'too many'
  return query
}

/** Nesting depth outside of strings, counted before parsing to prevent deep recursion. */
function isTooDeep(json: string): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at += 1) {
    const letter = json[at]
    if (inText && letter === '\\') at += 1
    else if (letter === '"') inText = !inText
    else if (!inText && (letter === '{' || letter === '[')) depth += 1
    else if (!inText && (letter === '}' || letter === ']')) depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}

/** Bodies are JSON or empty; an empty one is valid, since many calls need none. Other types get 415. */
function acceptJson(app: FastifyInstance) {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
      if (isTooDeep(text)) return done(problem('malformed.depth'))
      return parse(request, text, done)
    } catch (error) {
      return done(problem('malformed.encoding', {}, error))
    }
  })
}

/** Values are validated by zod schemas as sent: no coercion, no unknown keys. */
export function checkInput(app: FastifyInstance): void {
  acceptJson(app)
  app.addHook('onRequest', async ({ query, routeOptions }) => {
    // Page addresses are not validated: a visitor with a malformed link gets the console, not an API error.
    if (!routeOptions.url?.startsWith('/api/')) return
    const has = isObject(query) && poisoned in query
    if (has) throw problem('malformed.parameter')
  })
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.schema?.body && request.body === undefined) request.body = {}
  })
  app.setValidatorCompiler<ZodType>(({ schema }) => (data) => {
    const result = schema.safeParse(data, { reportInput: true })
    return result.success ? { value: result.data } : { error: invalid(faultsOf(result.error)) }
  })
}
