import { formatUtc } from '#fields/time/time-format.ts'
import { units } from '#schema/format/units.ts'
import type { Label, Language } from '#schema/words.ts'

const phrases: readonly (readonly [RegExp, string])[] = [
  [/ bytes\b/g, ' байт'],
  [/\((\d+) missing\)/g, '(пропущено $1)'],
  [/a change while the current moves/g, 'изменение при меняющемся токе'],
  [/\ban ESS\b/g, 'СНЭ'],
  [/\bnone\b/g, 'нет'],
]

const symbols: readonly Label[] = Object.values(units).map(({ symbol }) => symbol)

/** The units of numbers: “5 W” → “5 Вт”. */
const withUnits = (text: string): string =>
  text.replace(/(\d) (\S+)/g, (whole, digit: string, unit: string) => {
    const symbol = symbols.find(([en]) => en === unit)
    return symbol ? `${digit} ${symbol[1]}` : whole
  })

const isTime = /\d{4}-\d{2}-\d{2}T[\d:.]+Z/g

/** Expected and found values of a decoder, translated; an unknown phrase stays as it is. */
export function factText(text: string, language: Language): string {
  const times = text.replace(isTime, (time) => formatUtc(time).replace('.000', ''))
  if (language === 'en' || times !== text) return times
  const russian = phrases.reduce((said, [pattern, words]) => said.replace(pattern, words), text)
  return withUnits(russian.replace(/(\d)\.(\d)/g, '$1,$2'))
}
