import type { FieldTypes } from '#schema/field-types.ts'
import type { CommonFacts } from './field-facts.ts'

type FactsOf = { [T in keyof FieldTypes]: keyof CommonFacts | 'type' | keyof FieldTypes[T]['facts'] }
/**
 * A misspelt fact of a field is a type error. The fields themselves are not part of it: their types would be taken from both, and
 * compiling a definition would take a hundred times as long.
 */
export type NoStrayKeys<F> = {
  [K in keyof F]: F[K] extends { type: infer T extends keyof FieldTypes }
    ? { [Stray in Exclude<keyof F[K], FactsOf[T]>]: never }
    : unknown
}
