import '#schema/later/list-facts.ts'
import type { Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'

/** Values that are names of resources. */
const ofResources: Readonly<Record<string, Label>> = {
  target: ['What the file holds', 'Что в файле'],
  list: ['List', 'Список'],
}

/** Field from the journal's `details` for an audit value that no record has; undefined when there is none. */
export function journalPart(name: string, definitions: Definitions): Field | undefined {
  const resources = [...definitions.values()]
  const label = Object.hasOwn(ofResources, name) && ofResources[name]
  if (label) {
    const options = Object.fromEntries(resources.map((resource) => [resource.name, resource.label.many]))
    return { type: 'enum', label, options }
  }
  const details = resources.map(({ journal }) => journal?.details).find((found) => found && Object.hasOwn(found, name))
  return details?.[name]
}
