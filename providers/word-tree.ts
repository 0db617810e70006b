import type { Language } from '#schema/words.ts'

/** Texts by key, in nested groups. `{{name}}` marks a value; a text that counts has one form per plural: `rows_one`, `rows_other`. */
export type WordTree = { readonly [key: string]: string | WordTree }

type Values = Readonly<Record<string, unknown>>

const textAt = (tree: WordTree, key: string): string | undefined => {
  let at: string | WordTree | undefined = tree
  for (const part of key.split('.')) {
    if (typeof at !== 'object' || !Object.hasOwn(at, part)) return undefined
    at = at[part]
  }
  return typeof at === 'string' ? at : undefined
}

const rules = new Map<Language, Intl.PluralRules>()
function pluralOf(language: Language, count: number): string {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known.select(count)
}

const fill = (text: string, values: Values) =>
  text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => (values[name] === undefined ? mark : String(values[name])))

/** The text of a key with its values put in. Without one: the fallback, else the key, so that a gap is seen. */
export function wordOf(tree: WordTree, language: Language, key: string, values: Values = {}, fallback = key): string {
  const counted = typeof values.count === 'number' ? textAt(tree, `${key}_${pluralOf(language, values.count)}`) : undefined
  return fill(counted ?? textAt(tree, key) ?? fallback, values)
}
