export type DateKind = 'day' | 'moment'

type PartName = 'day' | 'month' | 'year'
type Part = { name?: PartName; text: string }

/** Characters of a date as it is exchanged: `2026-05-31`, `2026-05-31T14:05`. */
const wireLengths: Readonly<Record<DateKind, number>> = { day: 10, moment: 16 }
const dayMs = 86_400_000

/** Day, month and year in the order of the locale, with what stands between them. */
const partsOf = (locale: string): Part[] =>
  new Intl.DateTimeFormat(locale, { year: 'numeric', month: '2-digit', day: '2-digit', timeZone: 'UTC' })
    .formatToParts(0)
    .map(({ type, value }) =>
      type === 'day' || type === 'month' || type === 'year' ? { name: type, text: '' } : { text: value },
    )

const typedDate = /^(\d{1,4})[./\s-](\d{1,2})[./\s-](\d{1,4})(?:[T\s]+(\d{1,2}):(\d{2}))?$/

/**
 * The date that a person typed, as it is exchanged; undefined when it is none. Day, month and year come in the order of the locale,
 * or as `2026-05-31`.
 */
export function readDate(text: string, kind: DateKind, locale: string): string | undefined {
  const [, first = '', second = '', third = '', hour, minute] = typedDate.exec(text.trim()) ?? []
  const names = first.length === 4 ? (['year', 'month', 'day'] as const) : partsOf(locale).flatMap(({ name }) => name ?? [])
  const typed = Object.fromEntries(names.map((name, at) => [name, [first, second, third][at] ?? '']))
  const { year = '', month = '', day = '' } = typed
  if (year.length !== 4 || (hour === undefined) !== (kind === 'day')) return undefined
  const numbers = [Number(year), Number(month), Number(day), Number(hour ?? 0), Number(minute ?? 0)] as const
  const time = new Date(Date.UTC(numbers[0], numbers[1] - 1, numbers[2], numbers[3], numbers[4]))
  const isReal = [
    time.getUTCFullYear(),
    time.getUTCMonth() + 1,
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
  ].every((number, at) => number === numbers[at])
  return isReal ? time.toISOString().slice(0, wireLengths[kind]) : undefined
}

/** True for a date as it is exchanged. */
export const isDate = (wire: string, kind: DateKind): boolean =>
  wire.length === wireLengths[kind] && readDate(wire, kind, 'en') === wire

/** A date in the order of the locale; a text that is none stays as it is. */
export function shownDate(wire: string, kind: DateKind, locale: string): string {
  if (!isDate(wire, kind)) return wire
  const values = { year: wire.slice(0, 4), month: wire.slice(5, 7), day: wire.slice(8, 10) }
  const day = partsOf(locale).map(({ name, text }) => (name ? values[name] : text))
  return [day.join(''), wire.slice(11)].filter(Boolean).join(' ')
}

/** A date some days later, or earlier. */
export const movedDate = (wire: string, days: number, kind: DateKind): string =>
  new Date(Date.parse(`${kind === 'day' ? `${wire}T00:00` : wire}Z`) + days * dayMs).toISOString().slice(0, wireLengths[kind])

/** The order of the parts for a reader, in the letters of the language: `ДД.ММ.ГГГГ ЧЧ:ММ`. */
export function dateExample(kind: DateKind, locale: string, letters: string): string {
  const [day = '', month = '', year = '', hour = '', minute = ''] = letters.split(' ')
  const names = { day, month, year }
  const order = partsOf(locale).map(({ name, text }) => (name ? names[name] : text))
  return order.join('') + (kind === 'moment' ? ` ${hour}:${minute}` : '')
}
