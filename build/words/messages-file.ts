import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Messages } from '#schema/words.ts'

/** A file of messages brought up to date: what is there stays, what is new is empty, what is stale stands last. */
export type Update = { messages: Messages; missing: string[]; stale: string[]; broken: string[] }

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
  translation !== '' && text.includes('{') && placeholders(translation) !== placeholders(text)

export function updated(texts: readonly string[], before: Messages): Update {
  const known = new Set(texts)
  const stale = Object.keys(before).filter((text) => !known.has(text))
  const entries = [...texts, ...stale].map((text): [string, string] => [text, before[text] ?? ''])
  return {
    messages: Object.fromEntries(entries),
    missing: texts.filter((text) => !before[text]),
    stale,
    broken: entries.filter(isBroken).map(([text]) => text),
  }
}
