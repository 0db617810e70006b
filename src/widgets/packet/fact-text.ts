import { formatUtc } from '#fields/time/time-format.ts'
import { decimalMark } from '#schema/format/format.ts'
import { units } from '#schema/format/units.ts'
import { type Label, type Language, say } from '#schema/words.ts'

const phrases: readonly (readonly [RegExp, Label])[] = [
  [/(?<= )bytes\b/g, ['bytes', 'байт']],
  [/\((\d+) missing\)/g, ['($1 missing)', '(пропущено $1)']],
  [/a change while the current moves/g, ['a change while the current moves', 'изменение при меняющемся токе']],
  [/\ban ESS\b/g, ['an ESS', 'СНЭ']],
  [/\bnone\b/g, ['none', 'нет']],
]

const symbols: readonly Label[] = Object.values(units).map(({ symbol }) => symbol)

/** Localises units of numbers: “5 W” → “5 Вт”. */
const withUnits = (text: string, language: Language): string =>
  text.replace(/(\d) (\S+)/g, (whole, digit: string, unit: string) => {
    const symbol = symbols.find(([en]) => en === unit)
    return symbol ? `${digit} ${say(symbol, language)}` : whole
  })

const isTime = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g

/** Localises a decoder's expected and found values; an unknown phrase is unchanged. */
export function factText(text: string, language: Language): string {
  const times = text.replace(isTime, (time) => formatUtc(time).replace('.000', ''))
  if (times !== text) return times
  const worded = phrases.reduce((said, [pattern, words]) => said.replace(pattern, say(words, language)), text)
  return withUnits(worded.replace(/(\d)\.(\d)/g, `$1${decimalMark(language)}$2`), language)
}
