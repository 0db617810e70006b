import { allFields } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { composed, type Label, say } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'

const joined = (left: Label, right: Label): Label => composed((language) => `${say(left, language)} / ${say(right, language)}`)

/** Readable location of a fault: `Location / Time zone`, `Schedule 2 / From`. Undefined for an unknown path. */
function labelAt(fields: Fields, path: string): Label | undefined {
  const [name = '', ...rest] = path.split('.')
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) return undefined
  const isItem = /^\d+$/.test(rest[0] ?? '')
  const number = isItem ? ` ${Number(rest[0]) + 1}` : ''
  const own = composed((language) => `${say(field.label, language)}${number}`)
  const below = isItem ? rest.slice(1) : rest
  if (below.length === 0 || !('fields' in field)) return own
  const inner = labelAt(field.fields, below.join('.'))
  return inner ? joined(own, inner) : own
}

export const showFaults = (faults: readonly Fault[], fields: Fields): ShownFault[] =>
  faults.map((fault) => {
    const label = fault.code === 'unknown-key' ? undefined : labelAt(fields, fault.path)
    return label ? { ...fault, label } : fault
  })

/** Faults of a definition's rules with the definition's own sentences. */
export const showRuleFaults = (faults: readonly (Fault & { rule?: number })[], resource: AnyResource): ShownFault[] =>
  showFaults(faults, allFields(resource)).map((fault, index) => {
    const text = resource.rules?.[faults[index]?.rule ?? -1]?.message
    return text ? { ...fault, text } : fault
  })
