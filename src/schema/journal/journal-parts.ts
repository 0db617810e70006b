import '#schema/later/list-facts.ts'
import { type Definitions, pathOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Label } from '#schema/words.ts'

/** Values that stand for a resource: by its name, or by the path of its list. */
const ofResources: Readonly<Record<string, { label: Label; of: (resource: AnyResource) => string | undefined }>> = {
  target: { label: ['What the file holds', 'Что в файле'], of: ({ name }) => name },
  list: { label: ['List', 'Список'], of: (resource) => pathOf(resource, 'list') },
}

/** Field from the journal's `details` for an audit value that no record has; undefined when there is none. */
export function journalPart(name: string, definitions: Definitions): Field | undefined {
  const resources = [...definitions.values()]
  const known = Object.hasOwn(ofResources, name) && ofResources[name]
  if (known) {
    const options = Object.fromEntries(resources.map((resource) => [known.of(resource), resource.label.many]))
    return { type: 'enum', label: known.label, options }
  }
  const details = resources.map(({ journal }) => journal?.details).find((found) => found && Object.hasOwn(found, name))
  return details?.[name]
}
