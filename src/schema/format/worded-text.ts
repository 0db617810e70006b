import type { Worded } from '#schema/facts/field-facts.ts'
import { type Language, say } from '#schema/words.ts'

/** A value as words when it matches the pattern; otherwise the value itself. */
export function wordedText({ pattern, label }: NonNullable<Worded['worded']>, value: string, language: Language): string {
  const groups = new RegExp(pattern, 'u').exec(value)?.groups
  return groups ? say(label, language, groups) : value
}
