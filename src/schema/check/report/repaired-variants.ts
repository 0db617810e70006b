import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type DefinitionFault, entriesOf, type Slip } from './report.ts'

/** Faults that make further checks of a field pointless. */
const fatal = ['wrong-type', 'unknown-field-type', 'no-options', 'no-fields', 'unknown-resource']

/** Replacement for a broken part; undefined leaves it out. */
type Replacement = (part: unknown, faults: readonly DefinitionFault[]) => unknown

const placeholder = { type: 'text', label: ['-', '-'] }

const isBelow = (path: string, at: string) => path === at || path.startsWith(`${at}.`)

/** Fields with broken ones replaced, recursively. */
function fieldsBy(fields: unknown, path: string, faults: readonly DefinitionFault[], by: Replacement): unknown {
  if (!isObject(fields)) return {}
  const parts = Object.entries(fields).flatMap(([name, field]) => {
    const at = `${path}.${name}`
    const below = faults.filter((fault) => isBelow(fault.path, at))
    const own = below.filter((fault) => fatal.includes(fault.code) && !fault.path.startsWith(`${at}.fields.`))
    const read = own.length > 0 ? by(field, own) : field
    if (read === undefined) return []
    const nested = isObject(read) && read === field && isObject(read.fields) && below.length > 0
    return [[name, nested ? { ...read, fields: fieldsBy(read.fields, `${at}.fields`, below, by) } : read] as const]
  })
  return Object.fromEntries(parts)
}

function resourceBy(resource: AnyResource, faults: readonly DefinitionFault[], by: Replacement): AnyResource {
  const own = faults.filter(({ path }) => path.startsWith(`${resource.name}.`))
  const actions = entriesOf(resource.actions).flatMap(([name, action]) => {
    const path = `${resource.name}.actions.${name}`
    const read = isObject(action) ? action : by(action, [{ code: 'wrong-type', path, message: '' }])
    if (!isObject(read)) return []
    return [[name, read.form === undefined ? read : { ...read, form: fieldsBy(read.form, `${path}.form`, own, by) }] as const]
  })
  const fields = fieldsBy(resource.fields, `${resource.name}.fields`, own, by)
  return { ...resource, fields, ...(resource.actions && { actions: Object.fromEntries(actions) }) } as AnyResource
}

type All = ReadonlyMap<string, AnyResource>

const eachBy = (all: All, faults: readonly DefinitionFault[], by: Replacement): All =>
  new Map([...all].map(([name, resource]) => [name, resourceBy(resource, faults, by)]))

/** A copy with misspelt words replaced by the closest known ones. */
function respelt(resource: AnyResource, slips: readonly Slip[]): AnyResource {
  const copy: AnyResource = JSON.parse(JSON.stringify(resource))
  for (const { path, word, guess } of slips) {
    const [, ...steps] = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
    const last = steps.pop() ?? ''
    const holder = steps.reduce<unknown>((at, step) => Object(at)[step], copy)
    if (typeof holder === 'object' && holder !== null && Reflect.get(holder, last) === word) Reflect.set(holder, last, guess)
  }
  return copy
}

/**
 * Two readings of definitions with broken fields: with typos corrected, and without the broken fields. A fault that occurs in
 * both is independent; one that occurs in a single reading only follows from a fault already reported.
 */
export function repairedVariants(all: All, faults: readonly DefinitionFault[], slips: readonly Slip[]): readonly All[] {
  if (faults.length === 0) return [all]
  const isMended = ({ path }: DefinitionFault) => slips.some((slip) => slip.path === path)
  const meant = new Map(
    [...all].map(([name, resource]) => [
      name,
      respelt(
        resource,
        slips.filter(({ path }) => path.startsWith(`${name}.`)),
      ),
    ]),
  )
  return [
    eachBy(meant, faults, (part, own) => (isObject(part) && own.every(isMended) ? part : placeholder)),
    eachBy(all, faults, () => undefined),
  ]
}
