import { resources } from '#resources/index.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import { menuCountOf } from '#schema/figures.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { job } from './examples/job.ts'
import { machine } from './examples/machine.ts'

/** Two definitions that use the language, and those of the product for what only they need. `npm run check` finds no fault in any. */
export const examples: readonly AnyResource[] = [machine, job, ...resources]

const isWord = (key: string) => /^[A-Za-z_]\w*$/.test(key)

/** Data as it stands in a definition. */
export function asCode(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(asCode).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  if (entries.length === 0) return '{}'
  return `{ ${entries.map(([key, part]) => `${isWord(key) ? key : asCode(key)}: ${asCode(part)}`).join(', ')} }`
}

const objectsIn = (value: object | undefined) => Object.values(value ?? {}).filter((one) => typeof one === 'object')
const fieldsIn = (fields: Fields): Field[] =>
  Object.values(fields).flatMap((field) => [field, ...('fields' in field ? fieldsIn(field.fields) : [])])

/** Parts of definitions by the type that describes them: where an example of a fact may stand. */
export const usesOf: Readonly<Record<string, readonly object[]>> = {
  Resource: examples,
  CommonFacts: examples.flatMap(({ fields }) => fieldsIn(fields)),
  ListFacts: examples.flatMap(({ list }) => list ?? []),
  View: examples.flatMap(({ list }) => objectsIn(list?.views)),
  Inbox: examples.flatMap(({ list }) => list?.inbox ?? []),
  Tab: examples.flatMap(({ tabs }) => objectsIn(tabs)),
  Action: examples.flatMap(({ actions }) => objectsIn(actions)),
  Confirm: examples.flatMap(({ actions }) => actionsOf(actions).flatMap(({ confirm }) => confirm ?? [])),
  MenuCount: examples.flatMap((resource) => menuCountOf(resource) ?? []),
  Checks: examples
    .flatMap(({ checks, actions }) => [checks, ...actionsOf(actions).map((action) => action.checks)])
    .flatMap((checks) => checks ?? []),
  Outlook: examples.flatMap(({ outlook }) => outlook ?? []),
  Division: listsIn(examples).flatMap(({ divides }) => divides ?? []),
  FlowPart: groupsIn(examples).flatMap(({ flow }) => objectsIn(flow?.parts)),
  Guard: examples.flatMap(({ actions }) => actionsOf(actions).flatMap(({ guard }) => guard ?? [])),
  Reveal: examples.flatMap(({ actions }) => actionsOf(actions).flatMap(({ reveals }) => reveals ?? [])),
  Figure: examples.flatMap(({ figures }) => objectsIn(figures)),
  Journal: examples.flatMap(({ journal }) => journal ?? []),
  Api: examples.flatMap(({ api }) => api ?? []),
}

function listsIn(resources: readonly AnyResource[]): FieldOf<'list'>[] {
  return resources.flatMap(({ fields }) => fieldsIn(fields)).flatMap((field) => (field.type === 'list' ? [field] : []))
}

function groupsIn(resources: readonly AnyResource[]): FieldOf<'group'>[] {
  return resources.flatMap(({ fields }) => fieldsIn(fields)).flatMap((field) => (field.type === 'group' ? [field] : []))
}

function actionsOf(actions: AnyResource['actions']): Action[] {
  return Object.values(actions ?? {})
}

/** Greatest length of an example in a table. */
const mostLetters = 150

/** The shortest value that a fact has in an example, or the file that has one; undefined for a fact that none of them uses. */
export function exampleOf(type: string, fact: string): string | undefined {
  const values = (usesOf[type] ?? []).flatMap((part) => (Object.hasOwn(part, fact) ? [asCode(Reflect.get(part, fact))] : []))
  const [shortest] = values.toSorted((a, b) => a.length - b.length)
  if (shortest === undefined || shortest.length <= mostLetters) return shortest
  return examples.find((resource) => asCode(resource).includes(shortest))?.name
}

/** A field of a type as it stands in the definition. */
export function fieldExample(type: string): string | undefined {
  const [name, field] = Object.entries<Field>(machine.fields).find(([, one]) => one.type === type) ?? []
  return name && field ? `${name}: ${asCode(field)}` : undefined
}
