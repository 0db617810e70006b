import { entriesOf, type Report } from '#schema/check/report/report.ts'
import { isComputed } from '#schema/form/presets.ts'
import { isObject } from '#schema/is-object.ts'
import { type PartPlace, partFacts, partTypes } from './part-facts.ts'

type Facts = Readonly<Record<string, unknown>>

export type PartScope = {
  place: PartPlace
  /** No form writes the field that holds the parts. */
  isClosed: boolean
  /** True for a resource that shares its table with the record; absent in a form. */
  refersToItself?: ((resource: string) => boolean) | undefined
}

const isRow = <T extends object>(table: T, key: string): key is keyof T & string => Object.hasOwn(table, key)

/** Parts are validated on their own: no rule and no other value is asked. */
const valueFault = (fact: string, value: unknown): string | undefined => {
  if (['required', 'readOnly'].includes(fact) && value !== true)
    return 'a part of a field is so always or never; here a rule is not asked'
  return fact === 'default' && isComputed(value) ? 'a part of a field has a constant default or none' : undefined
}

function checkFacts(report: Report, path: string, part: Facts, place: PartPlace): void {
  for (const [fact, value] of Object.entries(part)) {
    if (value === undefined || !isRow(partFacts, fact)) continue
    const keeping = partFacts[fact][place]
    const why = keeping === 'kept' ? valueFault(fact, value) : keeping.why
    if (why) report('rule-in-part', `${path}.${fact}`, why)
  }
}

/** In a form, parts are values for the record or for the handler of the action, which judge them. */
function checkType(report: Report, path: string, part: Facts, { isClosed, refersToItself }: PartScope): void {
  const type = String(part.type)
  if (!refersToItself) return
  const isShut = isClosed || part.readOnly === true
  const refusal = isRow(partTypes, type) ? partTypes[type] : undefined
  if (refusal && !(refusal.unlessClosed && isShut)) report('type-in-part', `${path}.type`, refusal.why)
  if (type === 'reference' && part.circular !== true && !isShut && refersToItself(String(part.to)))
    report(
      'tree-in-part',
      `${path}.to`,
      'a tree stands in a field of the record; make the reference one, or say `circular: true` where cycles do no harm',
    )
}

/** Facts and types of parts that no interpreter keeps: a definition promises nothing that is not done. */
export function checkPartFacts(report: Report, path: string, fields: unknown, scope: PartScope): void {
  for (const [name, part] of entriesOf(fields)) {
    if (!isObject(part)) continue
    checkFacts(report, `${path}.${name}`, part, scope.place)
    checkType(report, `${path}.${name}`, part, scope)
  }
}
