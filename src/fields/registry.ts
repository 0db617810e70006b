import type { Field, FieldType } from '#schema/field-types.ts'
import { booleanKinds } from './choice/boolean.tsx'
import { enumKinds } from './choice/enum.tsx'
import type { FieldKind } from './field-kind.ts'
import { fileKinds } from './file/file.tsx'
import { quantityKinds } from './number/quantity.tsx'
import { referenceKinds } from './reference/reference.tsx'
import { structureKinds } from './structure/structure.tsx'
import { textKinds } from './text/text.tsx'
import { timeKinds } from './time/time.tsx'

/** Rendering by field type in lists and records. A type without a row does not compile. */
export const registry = {
  ...textKinds,
  ...quantityKinds,
  ...booleanKinds,
  ...enumKinds,
  ...timeKinds,
  ...referenceKinds,
  ...structureKinds,
  ...fileKinds,
} satisfies { [T in FieldType]: FieldKind<T> }

export const fieldKindOf = (field: Field): FieldKind => registry[field.type]
