import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Messages } from '#schema/words.ts'

/**
 * Updates a file of messages. Keeps translations, adds missing keys as empty, moves stale keys to the end. `broken`: other
 * placeholders than the English text; `forms`: plural forms of the language that a translation lacks.
 */
export type Update = { messages: Messages; missing: string[]; stale: string[]; broken: string[]; forms: string[] }

type Part = ReturnType<typeof parse>[number]

const namesIn = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => {
    if (part.type === TYPE.literal || part.type === TYPE.pound) return []
    const inner = part.type === TYPE.plural || part.type === TYPE.select ? Object.values(part.options) : []
    return [part.value, ...inner.flatMap(({ value }) => namesIn(value))]
  })

/** Lines of guides name values of a record, and parts that are left out without them: `[: now {pcb.clockOffsetMs}]`. */
const guidePlaceholder = /\{\w+\.[\w.]+\}/g

/** The names of a message's placeholders; undefined if it is no ICU message. */
export function placeholders(text: string): string | undefined {
  const ofGuide = text.match(guidePlaceholder)
  if (ofGuide) return ofGuide.toSorted().join()
  try {
    return [...new Set(namesIn(parse(text, { ignoreTag: true })))].toSorted().join()
  } catch {
    return undefined
  }
}

const isBroken = ([text, translation]: [string, string]) =>
  translation !== '' && `${text}${translation}`.includes('{') && placeholders(translation) !== placeholders(text)

/** Forms for counts up to a thousand; some languages have one more for millions, which no list counts. */
function formsOf(code: string, type: Intl.PluralRuleType): string[] {
  const rules = new Intl.PluralRules(code, { type })
  return [...new Set(Array.from({ length: 1001 }, (_, count) => rules.select(count)))]
}

type Forms = Record<Intl.PluralRuleType, readonly string[]>

const lackingIn = (parts: readonly Part[], forms: Forms): string[] =>
  parts.flatMap((part) => {
    if (part.type !== TYPE.plural && part.type !== TYPE.select) return []
    const own = part.type === TYPE.plural ? forms[part.pluralType ?? 'cardinal'].filter((form) => !part.options[form]) : []
    return [...own, ...Object.values(part.options).flatMap(({ value }) => lackingIn(value, forms))]
  })

/** `{count, plural, …} (few, many)`: a translation with plurals, and the forms of its language that it lacks. */
function lackingForms([text, translation]: [string, string], forms: Forms): string[] {
  if (!/,\s*(plural|selectordinal)/.test(translation) || placeholders(translation) === undefined) return []
  const lacking = [...new Set(lackingIn(parse(translation, { ignoreTag: true }), forms))]
  return lacking.length === 0 ? [] : [`${text} (${lacking.join(', ')})`]
}

export function updated(texts: readonly string[], before: Messages, code: string): Update {
  const known = new Set(texts)
  const stale = Object.keys(before).filter((text) => !known.has(text))
  const entries = [...texts, ...stale].map((text): [string, string] => [text, before[text] ?? ''])
  const forms = { cardinal: formsOf(code, 'cardinal'), ordinal: formsOf(code, 'ordinal') }
  return {
    messages: Object.fromEntries(entries),
    missing: texts.filter((text) => !before[text]),
    stale,
    broken: entries.filter(isBroken).map(([text]) => text),
    forms: entries.flatMap((entry) => lackingForms(entry, forms)),
  }
}
