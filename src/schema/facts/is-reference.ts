import type { Field, FieldOf } from '#schema/field-types.ts'

/** A field with ids of other records: of one, or of several. */
export const isReference = (field: Field | undefined): field is FieldOf<'reference'> | FieldOf<'references'> =>
  field?.type === 'reference' || field?.type === 'references'
