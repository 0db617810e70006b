import type { Label } from '#schema/words.ts'

/** Texts for attaching and detaching records. */
export const linkWords = {
  attach: ['Attach', 'Привязать'],
  moves: ['Those that belong elsewhere move here.', 'Записи, которые относятся к другим, перейдут сюда.'],
  chooseFirst: ['Choose at least one', 'Выберите хотя бы одну запись'],
  attached: ['Attached: {count}', 'Привязано: {count}'],
  detach: ['Detach', 'Отвязать'],
  detachTitle: ['Detach {title}?', 'Отвязать {title}?'],
  detachText: ['It stays, but no longer belongs to this record.', 'Запись останется, но не будет относиться к этой.'],
  detached: ['Detached: {title}', 'Отвязано: {title}'],
} as const satisfies Record<string, Label>
