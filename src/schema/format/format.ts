import { intlOf, type Label, type Language, say } from '#schema/words.ts'

const cache = new Map<string, Intl.NumberFormat>()
function numberFormat(language: Language, digits: number): Intl.NumberFormat {
  const key = `${language}${digits}`
  const known = cache.get(key)
  if (known) return known
  // A value that rounds to zero has no sign.
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: 'negative' } as const
  const made = new Intl.NumberFormat(intlOf(language), options)
  cache.set(key, made)
  return made
}

/** A number with fixed decimals in the locale's format. */
export const formatNumber = (value: number, digits: number, language: Language): string =>
  numberFormat(language, digits).format(value)

/** The decimal separator. */
export const decimalMark = (language: Language): string =>
  numberFormat(language, 1)
    .formatToParts(0)
    .find(({ type }) => type === 'decimal')?.value ?? '.'

const byteUnits: readonly Label[] = [
  ['b', 'б'],
  ['KB', 'КБ'],
  ['MB', 'МБ'],
  ['GB', 'ГБ'],
  ['TB', 'ТБ'],
  ['PB', 'ПБ'],
  ['EB', 'ЭБ'],
]

/** A file size from b to EB with one decimal, base 1024. */
export function formatBytes(sizeBytes: number, language: Language): string {
  let value = sizeBytes
  let step = 0
  while (Math.abs(value) >= 1023.95 && step < byteUnits.length - 1) {
    value /= 1024
    step += 1
  }
  return `${formatNumber(value, 1, language)} ${say(byteUnits[step] ?? ['b', 'б'], language)}`
}

const thousands: Label = ['K', 'К']
const millions: Label = ['M', 'М']

/** A count in compact notation: 1 250 → 1.3K, in Russian 1,3К. */
export function formatCount(value: number, language: Language): string {
  const size = Math.abs(value)
  if (size >= 999_950) return `${short(value / 1e6, language)}${say(millions, language)}`
  if (size >= 1000) return `${short(value / 1e3, language)}${say(thousands, language)}`
  return formatNumber(value, 0, language)
}
const short = (value: number, language: Language) =>
  formatNumber(value, Number.isInteger(Math.round(value * 10) / 10) ? 0 : 1, language)

const spans: readonly (readonly [seconds: number, symbol: Label])[] = [
  [31_536_000, ['y', '{count, plural, one {г.} few {г.} other {л.}}']],
  [86_400, ['d', 'д']],
  [3_600, ['h', 'ч']],
  [60, ['min', 'мин']],
  [1, ['s', 'с']],
]

/** A duration in its largest units, a year being 365 days: 93 784 → 1 d 2 h. */
export function formatDuration(seconds: number, language: Language, most = 2): string {
  const parts: string[] = []
  let rest = Math.round(Math.abs(seconds))
  for (const [size, symbol] of spans) {
    const count = Math.floor(rest / size)
    if (count > 0 && parts.length < most) parts.push(`${count} ${say(symbol, language, { count })}`)
    rest -= count * size
  }
  const text = parts.length > 0 ? parts.join(' ') : `0 ${say(['s', 'с'], language)}`
  return seconds < 0 ? `−${text}` : text
}
