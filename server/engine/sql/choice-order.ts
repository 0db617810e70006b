import { type RawBuilder, sql } from 'kysely'
import { type ChoiceField, choiceLabel, choicesOf } from '#schema/facts/choices.ts'
import { intlOf, type Language, say } from '#schema/words.ts'

/** Choices in sort order: order of declaration, or by label in a language. */
export function sortedChoices(field: ChoiceField, language: Language): readonly string[] {
  const choices = choicesOf(field)
  if (!('order' in field) || field.order !== 'label') return choices
  const { compare } = new Intl.Collator(intlOf(language))
  const label = (choice: string) => say(choiceLabel(field, choice), language)
  return [...choices].sort((a, b) => compare(label(a), label(b)))
}

/** Rank of a value among the choices; null for any other. Literals only, so that an index can use it. */
export const choiceRank = (field: ChoiceField, value: RawBuilder<unknown>, language: Language): RawBuilder<unknown> =>
  sql`array_position(array[${sql.join(sortedChoices(field, language).map((choice) => sql.lit(choice)))}]::text[], ${value})`
