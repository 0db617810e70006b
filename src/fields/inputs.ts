import type { Field, FieldType } from '#schema/field-types.ts'
import { choiceInputs } from './choice/choice-inputs.tsx'
import type { InputKind } from './field-kind.ts'
import { fileInputs } from './file/file-inputs.tsx'
import { numberInputs } from './number/number-inputs.tsx'
import { referenceInputs } from './reference/reference-inputs.tsx'
import { structureInputs } from './structure/structure-inputs.tsx'
import { textInputs } from './text/text-inputs.tsx'
import { timeInputs } from './time/time-inputs.tsx'

/** Inputs by field type. Only forms import this, so that no list loads it. */
export const inputs = {
  ...textInputs,
  ...numberInputs,
  ...choiceInputs,
  ...timeInputs,
  ...referenceInputs,
  ...structureInputs,
  ...fileInputs,
} satisfies { [T in FieldType]: InputKind<T> }

export const inputOf = (field: Field): InputKind => inputs[field.type]
