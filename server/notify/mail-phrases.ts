import type { Label } from '#schema/words.ts'

/** Subject and paragraphs of a mail. `path` is the console page of its link; the token follows in the fragment. */
export type Template = { subject: Label; paragraphs: readonly Label[]; path?: string; button?: Label }

export const hello: Label = ['Hello {name},', 'Здравствуйте, {name}!']
export const notYou: Label = [
  'If you did not expect this mail, do nothing: without the link nothing happens.',
  'Если вы не ждали этого письма, ничего не делайте: без перехода по ссылке ничего не произойдёт.',
]
export const tellUs: Label = [
  'If it was not you, tell your administrator at once.',
  'Если это сделали не вы, сразу сообщите администратору.',
]
