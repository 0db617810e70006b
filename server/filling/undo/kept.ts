import { type Label, type Language, say } from '#schema/words.ts'
import type { JobRow } from '#server/filling/job-store.ts'

export type KeptReason = 'changed' | 'in-use' | 'used' | 'taken' | 'gone' | 'redefined' | 'secret'
/** A record that an undo left unchanged, or all but these `fields` of it. */
export type Kept = { row: JobRow; reason: KeptReason; fields?: readonly string[] }
/** `removed`: records that are deleted, or pairings that are taken apart. */
export type Undone = { removed: number; kept: Kept[] }

const reasons = {
  changed: ['it was changed since', 'запись с тех пор изменена'],
  'in-use': ['other records refer to it', 'на запись ссылаются другие'],
  used: ['it is in use already', 'запись уже используется'],
  taken: ['another record has its former value', 'прежнее значение теперь у другой записи'],
  gone: ['it is not there any more', 'записи уже нет'],
  redefined: [
    'these fields keep their values, because they are defined otherwise since: {fields}',
    'эти поля сохранили значения, так как с тех пор определены иначе: {fields}',
  ],
  secret: [
    'these secrets were emptied by the import and are not brought back: {fields}',
    'эти секретные значения очищены импортом и не возвращаются: {fields}',
  ],
} as const satisfies Record<KeptReason, Label>

export const keptText = ({ reason, fields = [] }: Kept, language: Language): string =>
  say(reasons[reason], language, { fields: fields.join(', ') })
