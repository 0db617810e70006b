import type { Field, FieldType } from '#schema/field-types.ts'
import { booleanKinds } from './boolean.tsx'
import { enumKinds } from './enum.tsx'
import type { FieldKind } from './field-kind.ts'
import { quantityKinds } from './quantity.tsx'
import { referenceKinds } from './reference.tsx'
import { structureKinds } from './structure.tsx'
import { textKinds } from './text.tsx'
import { timeKinds } from './time.tsx'

/** What each field type looks like in lists and records. A type without its row does not compile. */
export const registry = {
  ...textKinds,
  ...quantityKinds,
  ...booleanKinds,
  ...enumKinds,
  ...timeKinds,
  ...referenceKinds,
  ...structureKinds,
} satisfies { [T in FieldType]: FieldKind<T> }

/** The kind of a field of any type. */
export const kindOf = (field: Field): FieldKind => registry[field.type]
