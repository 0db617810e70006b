import { type RawBuilder, sql } from 'kysely'
import { choiceLabel, choicesOf } from '#schema/facts/choices.ts'
import type { Field, FieldOf } from '#schema/field-types.ts'
import { intlOf, type Language, say } from '#schema/words.ts'

export type Choice = FieldOf<'enum'> | FieldOf<'status'>

export const hasChoices = (field: Field): field is Choice => field.type === 'enum' || field.type === 'status'

/** Choices in sort order: order of declaration, or by label in a language. */
export function sortedChoices(field: Choice, language: Language): readonly string[] {
  const choices = choicesOf(field)
  if (!('order' in field) || field.order !== 'label') return choices
  const { compare } = new Intl.Collator(intlOf(language))
  const label = (choice: string) => say(choiceLabel(field, choice), language)
  return [...choices].sort((a, b) => compare(label(a), label(b)))
}

/** Rank of a value among the choices; null for any other. Literals only, so that an index can use it. */
export const choiceRank = (field: Choice, value: RawBuilder<unknown>, language: Language): RawBuilder<unknown> =>
  sql`array_position(array[${sql.join(sortedChoices(field, language).map((choice) => sql.lit(choice)))}]::text[], ${value})`
