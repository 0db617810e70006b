import { acceptParts, fileTypes } from '#schema/files.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import { formatBytes, formatNumber } from './format.ts'

const families: Readonly<Record<string, Label>> = {
  image: ['images', 'изображения'],
  text: ['texts', 'тексты'],
  audio: ['audio', 'аудио'],
  video: ['videos', 'видео'],
}

/** A part of `accept` as people name it: `.pdf` is PDF, `image/*` images, `application/zip` ZIP. */
function wordOf(part: string, language: Language): string {
  if (part.startsWith('.')) return part.slice(1).toUpperCase()
  const [family = '', kind] = part.split('/')
  const label = families[family]
  if (kind === '*' && label) return say(label, language)
  const [ending] = fileTypes[part]?.endings ?? []
  return ending ? ending.toUpperCase() : part
}

/** Files that a field takes, in words: `PDF, images`. */
export const acceptWords = (accept: string, language: Language): string =>
  [...new Set(acceptParts(accept).map((part) => wordOf(part, language)))].join(', ')

const decimalUnits: readonly (readonly [size: number, symbol: Label])[] = [
  [1e9, ['GB', 'ГБ']],
  [1e6, ['MB', 'МБ']],
  [1e3, ['KB', 'КБ']],
]

/** A limit in the units in which it was set: 5 000 000 is 5 MB, and 10 · 1024 · 1024 is 10.0 MB as sizes of files are shown. */
export function formatLimit(bytes: number, language: Language): string {
  const [size, symbol] = decimalUnits.find(([unit]) => bytes >= unit && (bytes / unit) % 0.5 === 0) ?? []
  if (!size || !symbol) return formatBytes(bytes, language)
  return `${formatNumber(bytes / size, Number.isInteger(bytes / size) ? 0 : 1, language)} ${say(symbol, language)}`
}
