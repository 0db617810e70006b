import { allFields, isSetKey, isWritable } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { withOwnRows } from '#schema/form/own-rows.ts'
import { waitsFor } from '#schema/form/presets.ts'
import { check, createSchema, editSchema, ruleFaults } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import { fieldsOfRule, type Rule, topOf } from '#schema/rule.ts'
import { distinctFaults, invalid, problem, type ShownFault } from '#server/base/problems.ts'
import { claimFiles } from '#server/engine/files/claim-files.ts'
import type { Catalog } from './catalog.ts'
import { realChange, type Verb } from './form-values.ts'
import { misplacedFaults, referenceFaults } from './references/references.ts'
import type { Row, Work } from './resource-rules.ts'
import { rightValues, schemasOf, settleForm } from './settle-form.ts'
import { showFaults, showRuleFaults } from './show-faults.ts'
import { ruleContext } from './work.ts'

type BodyCheck = {
  verb: Verb
  body: unknown
  writable: Fields
  /** Definitions that the row belongs to. */
  resources: readonly AnyResource[]
  /** The stored row; empty on create. */
  current: Row
}

/** More keys than any definition has; copying an object of a hundred thousand keys takes half a second. */
const mostKeys = 1_000

/** The body as an object; empty when absent. Throws 400 for anything else. */
export function bodyOf(body: unknown): Row {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw invalid([{ path: '', code: 'wrong-type' }])
  if (Object.keys(body).length > mostKeys) throw invalid([{ path: '', code: 'too-many', params: { max: mostKeys } }])
  return { ...body }
}

const known = (resources: readonly AnyResource[]): Fields => Object.assign({}, ...resources.map(allFields))

/** Throws 403 for fields that another role may write, but not this caller. */
function refuseForbidden(sent: Row, { verb, writable, resources }: BodyCheck) {
  const names = Object.keys(sent).filter((name) => !Object.hasOwn(writable, name))
  const isTheirs = (name: string) =>
    resources.some(({ fields }) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      return !!field && isWritable(field, verb)
    })
  const forbidden = names.filter(isTheirs)
  const faults = showFaults(
    forbidden.map((path) => ({ path, code: 'read-only', params: { key: path, verb } })),
    known(resources),
  )
  if (faults.length > 0) throw problem('field-forbidden', { faults })
}

const without = (row: Row, names: ReadonlySet<string>): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.has(name)))

/** The rules behind a fault: one of the definition, or those that make a field required. */
function rulesAt({ rules, fields }: AnyResource, fault: { path: string; rule?: number }): Rule[] {
  const own = rules?.[fault.rule ?? -1]?.rule
  if (own) return [own]
  const { when, required } = fields[fault.path] ?? {}
  return [when, required === true ? undefined : required].flatMap((rule) => rule ?? [])
}

function currencyAt({ fields }: AnyResource, { path }: { path: string }): string[] {
  const field = fields[path]
  return field?.type === 'money' && field.currencyOf !== undefined ? [field.currencyOf] : []
}

type Whole = { record: Row; faulty: ReadonlySet<string>; touched: readonly string[] }

/** Faults of cross-field rules affected by the change, unless one of their values is itself invalid. */
export function crossFieldFaults(
  { verb, resources, writable }: Pick<BodyCheck, 'verb' | 'resources' | 'writable'>,
  { record, faulty, touched }: Whole,
  work: Work,
): ShownFault[] {
  const context = ruleContext(work.caller, work.now)
  return resources.flatMap((resource) => {
    const found = ruleFaults(resource, record, context).filter((fault) => {
      const reads = [...rulesAt(resource, fault).flatMap(fieldsOfRule).map(topOf), ...currencyAt(resource, fault)]
      // Fields that the caller may not write are not required.
      const isAsked = fault.rule !== undefined || Object.hasOwn(writable, topOf(fault.path))
      const names = [topOf(fault.path), ...reads]
      const isTouched = verb === 'create' || names.some((name) => touched.includes(name))
      return isAsked && isTouched && !names.some((name) => faulty.has(name))
    })
    return showRuleFaults(found, resource)
  })
}

/**
 * Validates a create or edit body and returns the values to store. Throws 403 for forbidden fields, else 400 with all faults at
 * once: shape, unknown and read-only keys, dangling references, cross-field rules.
 */
export async function checkBody(catalog: Catalog, call: BodyCheck, work: Work): Promise<Row> {
  const { verb, body, writable, resources, current } = call
  const sent = bodyOf(body)
  refuseForbidden(sent, call)
  const fields = known(resources)
  const locked = Object.keys(sent).filter(
    (name) => !Object.hasOwn(writable, name) && Object.hasOwn(fields, name) && !(verb === 'edit' && name === 'version'),
  )
  const open = withOwnRows(writable, without(sent, new Set(locked)))
  const result = verb === 'create' ? check(createSchema(writable), open) : check(editSchema(writable), open)
  const lockedFaults = locked.map((path): Fault => ({ path, code: 'read-only', params: { key: path, verb } }))
  const shapeFaults = result.ok ? lockedFaults : [...lockedFaults, ...result.faults]
  const faulty = new Set(shapeFaults.map(({ path }) => topOf(path)))

  const partOf = (name: string, field: Field) => schemasOf[verb]({ [name]: field })
  const right = result.ok ? result.value : rightValues(Object.entries(writable), partOf, { sent: open, faulty })
  const settled = settleForm(fields, { verb, writable, right, current }, ruleContext(work.caller, work.now))
  const [resource] = resources
  const claimed = await claimFiles(resource, { fields, values: settled.values, current }, work)
  const { values } = claimed
  const more = [...settled.faults, ...claimed.faults].filter(
    ({ path }) => !faulty.has(topOf(path)) && !waitsFor(fields[path], faulty),
  )
  const record = { ...emptyOf(fields, current), ...current, ...values }
  const changed = new Set(Object.keys(realChange(fields, values, current)))
  const asked = { fields, values, record, changed, sent: settled.sent, current }
  const misplaced = resource ? await misplacedFaults(catalog, resource, asked, work) : []
  const lost = await referenceFaults(catalog, asked, work, misplaced)
  const wrong = new Set([...faulty, ...[...more, ...lost].map(({ path }) => topOf(path))])
  const whole = { record, faulty: wrong, touched: Object.keys(values) }
  const faults = [...showFaults([...shapeFaults, ...more, ...lost], fields), ...crossFieldFaults(call, whole, work)]
  if (faults.length > 0) throw invalid(distinctFaults(faults))
  return verb === 'edit' ? { ...values, version: right.version } : values
}

/** Nothing in each field; a stored secret is not read, but there. */
const emptyOf = (fields: Fields, current: Row): Row =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, current[isSetKey(name)] === true ? '•' : null]))
