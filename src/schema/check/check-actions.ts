import { factNames } from '#schema/check/shape/shape.ts'
import { callOf, type Definitions, rolesForAction } from '#schema/definition.ts'
import { areToldApart } from '#schema/facts/shared-calls.ts'
import { holdsFiles } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { type Action, type AnyResource, methods, verbs } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { checkGuard, checkReveals } from './check-dialogs.ts'
import { checkKeys } from './check-keys.ts'
import { allPaths, checkRule } from './check-rules.ts'
import { checkConsequences } from './outcome/check-consequences.ts'
import { checkLabel, type Report, unknownKeys, unknownWords } from './report/report.ts'

const actionKeys = factNames('Action')
const confirmKeys = factNames('Confirm')
const places = ['record', 'row', 'list', 'bulk']

function unknownPlace(report: Report, path: string, place: string): void {
  if (!places.includes(place)) report('unknown-place', path, `there is no place "${place}"`, { word: place, among: places })
}

function checkCall(report: Report, path: string, call: unknown): void {
  if (call === undefined) return
  if (!Array.isArray(call) || call.length !== 2 || typeof call[1] !== 'string')
    return report('bad-call', path, "a call is a method and a path, like ['PUT', 'ess/{id}/owner']")
  if (!methods.some((method) => method === call[0]))
    report('unknown-method', `${path}[0]`, `there is no method "${String(call[0])}"`, { word: String(call[0]), among: methods })
  const parameters = [...call[1].matchAll(/\{(\w*)\}/g)].map((match) => match[1])
  if (parameters.some((name) => name !== 'id') || call[1].startsWith('/'))
    report(
      'bad-call',
      `${path}[1]`,
      `"${call[1]}" is no path: relative to /api, with no other placeholder than {id}, like 'ess/{id}/owner'`,
    )
}

function checkConfirm(report: Report, resource: AnyResource, path: string, confirm: unknown): void {
  if (confirm === undefined) return
  if (!isObject(confirm)) return report('wrong-type', path, 'a confirmation is { body, danger?, typeToConfirm? }')
  unknownKeys(report, 'unknown-key', path, confirm, confirmKeys, 'a confirmation')
  checkLabel(report, `${path}.body`, confirm.body)
  if (confirm.many !== undefined) checkLabel(report, `${path}.many`, confirm.many)
  checkConsequences(report, resource, `${path}.also`, confirm.also)
  if (isObject(confirm.danger)) checkRule(report, resource, `${path}.danger`, confirm.danger)
  const typed = confirm.typeToConfirm
  if (typed !== undefined && !allPaths(resource).includes(String(typed))) {
    report('unknown-field', `${path}.typeToConfirm`, `there is no field "${String(typed)}"`, {
      word: String(typed),
      among: allPaths(resource),
    })
  }
}

function checkReason(report: Report, path: string, { reason, form }: Action): void {
  const fields = isObject(form) ? form : {}
  const among = Object.keys(fields).filter((name) => fields[name]?.type === 'text' || fields[name]?.type === 'longText')
  if (reason !== undefined && !among.includes(reason))
    report('unknown-field', `${path}.reason`, `there is no text "${reason}" in the form`, { word: reason, among })
}

function checkEnds(report: Report, resource: AnyResource, path: string, ends: unknown): void {
  if (ends === undefined) return
  if (!isObject(ends)) return report('wrong-type', path, 'what ends is { tab, label, from?, when? }')
  unknownKeys(report, 'unknown-key', path, ends, ['tab', 'label', 'from', 'when'], 'what ends')
  checkLabel(report, `${path}.label`, ends.label)
  const among = Object.keys(resource.tabs ?? {})
  const tab = String(ends.tab)
  if (!among.includes(tab)) report('unknown-tab', `${path}.tab`, `there is no tab "${tab}"`, { word: tab, among })
}

/** Rows that another value of a field ends. */
export function checkFormEnds(report: Report, resource: AnyResource): void {
  unknownKeys(report, 'unknown-field', `${resource.name}.ends`, resource.ends, Object.keys(resource.fields), resource.name)
  for (const [name, ends] of Object.entries(resource.ends ?? {}))
    if (Object.hasOwn(resource.fields, name)) checkEnds(report, resource, `${resource.name}.ends.${name}`, ends)
}

export function checkPermit(report: Report, { fields }: AnyResource, path: string, permit: unknown): void {
  const among = Object.keys(fields).filter((name) => fields[name]?.type === 'boolean')
  if (permit !== undefined && !among.includes(String(permit)))
    report('unknown-field', path, `there is no boolean field "${String(permit)}"`, { word: String(permit), among })
}

/** A file is uploaded to a field of the record before the form is sent. */
function checkFormFiles(report: Report, { fields }: AnyResource, path: string, { form }: Action): void {
  for (const [name, field] of Object.entries(isObject(form) ? form : {}))
    if (isObject(field) && holdsFiles(field) && fields[name]?.type !== field.type)
      report(
        'file-without-field',
        `${path}.${name}`,
        `a form takes files for fields of the record; no ${field.type} is called "${name}"`,
      )
}

function checkChanges(report: Report, resource: AnyResource, path: string, { changes, form = {} }: Action): void {
  unknownKeys(report, 'unknown-field', path, changes, Object.keys(form), 'the form')
  const among = allPaths(resource)
  for (const [name, word] of Object.entries(isObject(changes) ? changes : {}))
    if (!among.includes(String(word)))
      report('unknown-field', `${path}.${name}`, `there is no field "${String(word)}"`, { word: String(word), among })
}

function checkOpens(report: Report, path: string, opens: string | undefined, among: readonly string[]): void {
  if (opens !== undefined && !among.includes(opens))
    report('unknown-resource', path, `there is no resource "${opens}"`, { word: opens, among })
}

function checkTemplates(
  report: Report,
  path: string,
  values: unknown,
  sources: Readonly<Record<string, readonly string[] | 'any'>>,
): void {
  const named = Object.entries(sources).flatMap(([source, names]) =>
    names === 'any' ? [`$${source}.…`] : names.map((name) => `$${source}.${name}`),
  )
  const signs = ['$now', '$zone', '$user.id', ...named]
  for (const [key, value] of isObject(values) ? Object.entries(values) : []) {
    if (typeof value !== 'string' || value === '$now' || value === '$zone' || value === '$user.id') continue
    if (/\{[\w.]+\}/.test(value))
      report('unknown-placeholder', `${path}.${key}`, `"${value}" is sent as it is written: nothing fills "{…}" here`, {
        word: value.replace(/^.*\{([\w.]+)\}.*$/, '$record.$1'),
        among: signs,
      })
    if (!value.startsWith('$')) continue
    const [source = '', ...rest] = value.slice(1).split('.')
    const known = sources[source]
    if (!known || (known !== 'any' && !known.includes(rest.join('.'))))
      report('unknown-value', `${path}.${key}`, `"${value}" stands for nothing here`, { word: value, among: signs })
  }
}

/** Checks of an action's form; `form`: the names of its fields. */
export function checkChecks(
  report: Report,
  path: string,
  checks: unknown,
  { form, record }: { form: readonly string[]; record: readonly string[] },
): void {
  if (checks === undefined) return
  if (!isObject(checks) || typeof checks.from !== 'string' || checks.from.startsWith('/'))
    return report('bad-call', path, 'checks are { from, query }, the path relative to /api')
  unknownKeys(report, 'unknown-key', path, checks, ['from', 'query', 'override', 'many'], 'checks')
  checkTemplates(report, `${path}.query`, checks.query, { form, record })
  const { override } = checks
  if (override !== undefined && !form.includes(String(override)))
    report('unknown-field', `${path}.override`, `there is no field "${String(override)}"`, {
      word: String(override),
      among: form,
    })
}

function checkAction(report: Report, resource: AnyResource, path: string, action: Action, resources: readonly string[]): void {
  checkLabel(report, `${path}.label`, action.label)
  unknownKeys(report, 'unknown-key', path, action, actionKeys, 'an action')
  if (action.on !== undefined) unknownPlace(report, `${path}.on`, action.on)
  unknownWords(report, 'unknown-role', `${path}.roles`, action.roles, roles, 'role')
  unknownWords(report, 'unknown-resource', `${path}.refresh`, action.refresh, resources, 'resource')
  checkOpens(report, `${path}.opens`, action.opens, resources)
  checkFormFiles(report, resource, `${path}.form`, action)
  if (action.when !== undefined) checkRule(report, resource, `${path}.when`, action.when)
  checkChanges(report, resource, `${path}.changes`, action)
  checkCall(report, `${path}.call`, action.call)
  checkConfirm(report, resource, `${path}.confirm`, action.confirm)
  checkGuard(report, resource, `${path}.guard`, action)
  checkReveals(report, `${path}.reveals`, action)
  checkPermit(report, resource, `${path}.permit`, action.permit)
  checkReason(report, path, action)
  const form = Object.keys(action.form ?? {})
  const own = Object.keys(resource.fields)
  checkTemplates(report, `${path}.set`, action.set, { form, record: allPaths(resource) })
  checkTemplates(report, `${path}.body`, action.body, { form, record: allPaths(resource), row: 'any', from: 'any' })
  checkTemplates(report, `${path}.start`, action.start, { record: allPaths(resource) })
  unknownKeys(report, 'unknown-field', `${path}.start`, action.start, form, 'the form')
  checkEnds(report, resource, `${path}.ends`, action.ends)
  unknownKeys(report, 'unknown-field', `${path}.set`, action.set, own, resource.name)
  checkChecks(report, `${path}.checks`, action.checks, { form, record: allPaths(resource) })
}

/** Checks every action of a definition, and that no two of one role share method and path but where their bodies tell them apart. */
export function checkActions(report: Report, resource: AnyResource, all: Definitions): void {
  checkKeys(report, resource)
  const resources = [...all.keys()]
  const calls = new Map<string, readonly { name: string; action: Action }[]>()
  for (const [name, action] of Object.entries(resource.actions ?? {})) {
    const path = `${resource.name}.actions.${name}`
    if (!/^[a-z][a-z0-9-]*$/.test(name) || verbs.some((verb) => verb === name)) {
      report(
        'bad-action-name',
        path,
        `"${name}" is no name of an action: small letters and hyphens, and none of ${verbs.join(', ')}`,
      )
    }
    checkAction(report, resource, path, action, resources)
    const call = callOf(resource, name, action)
    const address = Array.isArray(call) ? call.join(' ') : name
    for (const role of rolesForAction(resource, action)) {
      const key = `${role} ${address}`
      const others = calls.get(key) ?? []
      const twin = others.find((other) => !areToldApart(action, other.action))
      calls.set(key, [...others, { name, action }])
      if (!twin) continue
      report(
        'duplicate-call',
        `${path}.call`,
        `"${twin.name}" makes the same call for the same role (${key}); give one of them another path, another constant in its \`body\`, or other roles`,
      )
      break
    }
  }
}

/** An action through a reference requires that reference on this record. */
export function checkThrough(report: Report, resource: AnyResource, all: Definitions): void {
  for (const [name, action] of Object.entries(resource.actions ?? {})) {
    if (action.through === undefined) continue
    const path = `${resource.name}.actions.${name}`
    const field = Object.hasOwn(resource.fields, action.through) ? resource.fields[action.through] : undefined
    const target = field?.type === 'reference' ? all.get(field.to) : undefined
    const same = callOf(resource, name, action).join(' ')
    const isTheirs = Object.entries(target?.actions ?? {}).some(
      ([theirs, other]) => target && !other.through && callOf(target, theirs, other).join(' ') === same,
    )
    if (!isTheirs)
      report('unknown-call', `${path}.through`, `"${action.through}" refers to nothing that has the call "${same}"`, {
        word: same,
        among: Object.entries(target?.actions ?? {}).map(([one, other]) =>
          target ? callOf(target, one, other).join(' ') : '',
        ),
      })
  }
}
