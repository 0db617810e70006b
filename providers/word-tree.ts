import { formatMessage } from '#schema/format/message.ts'
import { intlOf, type Language, translated } from '#schema/words.ts'

/** Texts by key, in nested groups. Each is an ICU message. */
export type WordTree = { readonly [key: string]: string | WordTree }

const textAt = (tree: WordTree, key: string): string | undefined => {
  let at: string | WordTree | undefined = tree
  for (const part of key.split('.')) {
    if (typeof at !== 'object' || !Object.hasOwn(at, part)) return undefined
    at = at[part]
  }
  return typeof at === 'string' ? at : undefined
}

/** The text of a key with placeholders filled. Falls back to the given default, else to the key, so that a gap is visible. */
export function wordOf(
  tree: WordTree,
  language: Language,
  key: string,
  values: Readonly<Record<string, unknown>> = {},
  fallback = key,
): string {
  return formatMessage(translated(textAt(tree, key) ?? fallback, language), values, intlOf(language))
}
