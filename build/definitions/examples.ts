import { resources } from '#resources/index.ts'
import type { Field, FieldOf, Fields } from '#schema/field-types.ts'
import { menuCountOf } from '#schema/figures.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { job } from './examples/job.ts'
import { machine } from './examples/machine.ts'

/** Two definitions that use the language, and those of the product for what only they need. `npm run check` finds no fault in any. */
export const examples: readonly AnyResource[] = [machine, job, ...resources]

const isWord = (key: string) => /^[A-Za-z_]\w*$/.test(key)

/** Data as a definition writes it. */
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

type Uses = Readonly<Record<string, readonly object[]>>

/** Parts of definitions by the type that describes them: where an example of a fact may stand. */
const usesIn = (definitions: readonly AnyResource[]): Uses => ({
  Resource: definitions,
  CommonFacts: definitions.flatMap(({ fields }) => fieldsIn(fields)),
  ListFacts: definitions.flatMap(({ list }) => list ?? []),
  View: definitions.flatMap(({ list }) => objectsIn(list?.views)),
  Inbox: definitions.flatMap(({ list }) => list?.inbox ?? []),
  Tab: definitions.flatMap(({ tabs }) => objectsIn(tabs)),
  Action: definitions.flatMap(({ actions }) => objectsIn(actions)),
  Confirm: definitions.flatMap(({ actions }) => actionsOf(actions).flatMap(({ confirm }) => confirm ?? [])),
  MenuPlace: definitions.flatMap(({ menu }) => menu || []),
  MenuCount: definitions.flatMap((resource) => menuCountOf(resource) ?? []),
  Checks: definitions
    .flatMap(({ checks, actions }) => [checks, ...actionsOf(actions).map((action) => action.checks)])
    .flatMap((checks) => checks ?? []),
  Outlook: definitions.flatMap(({ outlook }) => outlook ?? []),
  Division: listsIn(definitions).flatMap(({ divides }) => divides ?? []),
  FlowPart: groupsIn(definitions).flatMap(({ flow }) => objectsIn(flow?.parts)),
  Guard: definitions.flatMap(({ actions }) => actionsOf(actions).flatMap(({ guard }) => guard ?? [])),
  Reveal: definitions.flatMap(({ actions }) => actionsOf(actions).flatMap(({ reveals }) => reveals ?? [])),
  Figure: definitions.flatMap(({ figures }) => objectsIn(figures)),
  Journal: definitions.flatMap(({ journal }) => journal ?? []),
  Api: definitions.flatMap(({ api }) => api ?? []),
})

export const usesOf: Uses = usesIn(examples)

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

/**
 * Finds the example of a fact: its shortest value in the two definitions of the language, else in the first of the given ones that
 * uses it, so that a further resource at the end of the list changes no example. A value that is too long for a table is the name
 * of its definition; undefined for a fact that none of them uses.
 */
export function exampleFinder(resources: readonly AnyResource[]): (type: string, fact: string) => string | undefined {
  const places = [[machine, job], ...resources.map((resource) => [resource])].map((definitions) => ({
    definitions,
    uses: usesIn(definitions),
  }))
  return (type, fact) => {
    for (const { definitions, uses } of places) {
      const values = (uses[type] ?? []).flatMap((part) => (Object.hasOwn(part, fact) ? [asCode(Reflect.get(part, fact))] : []))
      const [shortest] = values.toSorted((a, b) => a.length - b.length)
      if (shortest === undefined) continue
      return shortest.length <= mostLetters ? shortest : definitions.find((one) => asCode(one).includes(shortest))?.name
    }
    return undefined
  }
}

export const exampleOf = exampleFinder(resources)

/** A field of a type as a definition writes it. */
export function fieldExample(type: string): string | undefined {
  const [name, field] = Object.entries<Field>(machine.fields).find(([, one]) => one.type === type) ?? []
  return name && field ? `${name}: ${asCode(field)}` : undefined
}
