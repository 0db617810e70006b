import type { Label } from '#schema/words.ts'

/** Texts of displays that do not come from a definition. Those of inputs and filters are in input-words.ts. */
export const fieldWords = {
  none: ['No value', 'Нет значения'],
  yes: ['Yes', 'Да'],
  no: ['No', 'Нет'],
  empty: ['Empty', 'Не заполнено'],
  filled: ['Filled', 'Заполнено'],
  not: ['not', 'не'],
  unseen: ['Not available', 'Недоступно'],
  loading: ['Loading…', 'Загрузка…'],
  items: [
    '{count, plural, one {# item} other {# items}}',
    '{count, plural, one {# элемент} few {# элемента} other {# элементов}}',
  ],
} as const satisfies Record<string, Label>
