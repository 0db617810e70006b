import { allFields, type Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { journalPart } from '#schema/journal/journal-parts.ts'
import type { AnyResource } from '#schema/resource.ts'
import { formFieldsOf } from '#views/actions/form-fields-of.ts'

export type EntryOf = { resource: AnyResource | undefined; action: string }

/**
 * The field of a value in a journal entry: of the form of its own action, of the record, of the journal itself, or of the form of
 * any action on the record.
 */
export function entryField({ resource, action }: EntryOf, name: string, definitions: Definitions): Field | undefined {
  const forms = Object.entries(resource?.actions ?? {}).map(([key, one]) => ({ key, field: formFieldsOf(one)[name] }))
  const own = forms.find(({ key, field }) => key === action && field)?.field
  const ofRecord = resource && allFields(resource)[name]
  return own ?? ofRecord ?? journalPart(name, definitions) ?? forms.find(({ field }) => field)?.field
}
