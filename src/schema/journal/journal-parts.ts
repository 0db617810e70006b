import '#schema/later/list-facts.ts'
import type { Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'

/** Field from the journal's `details` for an audit value that no record has; undefined when there is none. */
export function journalPart(name: string, definitions: Definitions): Field | undefined {
  const resources = [...definitions.values()]
  if (name === 'target') {
    const options = Object.fromEntries(resources.map((resource) => [resource.name, resource.label.many]))
    return { type: 'enum', label: ['What the file holds', 'Что в файле'], options }
  }
  const details = resources.map(({ journal }) => journal?.details).find((found) => found && Object.hasOwn(found, name))
  return details?.[name]
}
