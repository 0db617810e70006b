import { type Language, say } from '#schema/words.ts'
import { warningWords } from './warning-words.ts'

/** Subject of a warning: a cell position as text, anything else unchanged. */
export function subjectText(subject: unknown, language: Language): string | undefined {
  if (typeof subject !== 'string' || !subject) return undefined
  const [, module, cell] = /^m(\d+)\/c(\d+)$/.exec(subject) ?? []
  return module && cell ? say(warningWords.place, language, { module: Number(module), cell: Number(cell) }) : subject
}
