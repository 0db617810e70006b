import { cellPlace } from '#resources/fleet/cell-place.ts'
import { wordedText } from '#schema/format/worded-text.ts'
import type { Language } from '#schema/words.ts'

/** Subject of a warning: a cell position as text, anything else unchanged. */
export function subjectText(subject: unknown, language: Language): string | undefined {
  if (typeof subject !== 'string' || !subject) return undefined
  return wordedText(cellPlace, subject, language)
}
