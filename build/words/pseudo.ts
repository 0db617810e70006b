import { parse } from '@formatjs/icu-messageformat-parser'
import { printAST } from '@formatjs/icu-messageformat-parser/printer.js'
import { type Messages, withoutContext } from '#schema/words.ts'

const plain = 'AaBbCcDdEeGgHhIiJjKkLlNnOoRrSsTtUuVvWwYyZz'
const accented = 'ÅåßƀÇçÐðÉéĜĝĤĥÎîĴĵĶķĻļÑñÖöŔŕŠšŢţÛûṼṽŴŵÝýŽž'
const accents = new Map([...plain].map((letter, place) => [letter, accented[place] ?? letter]))

const accent = (text: string): string => [...text].map((letter) => accents.get(letter) ?? letter).join('')

/** Pads a text by 40 % with words of up to ten letters; parentheses show where it is cut. */
const padded = (text: string, length: number): string =>
  `(${text}${'~'.repeat(Math.ceil(length * 0.4)).replace(/~{10}(?=~)/g, '$& ')})`

type Part = ReturnType<typeof parse>[number]

const accentPart = (part: Part): Part => {
  if (part.type === 0) return { ...part, value: accent(part.value) }
  if (part.type !== 5 && part.type !== 6) return part
  const options = Object.entries(part.options).map(([name, option]) => [
    name,
    { ...option, value: option.value.map(accentPart) },
  ])
  return { ...part, options: Object.fromEntries(options) }
}

function pseudoOf(text: string): string {
  if (!text.includes('{')) return padded(accent(text), text.length)
  if (/\{\w+\./.test(text)) return padded(text.replace(/[^{}]+(?![^{]*\})/g, accent), text.length)
  return padded(printAST(parse(text, { ignoreTag: true }).map(accentPart)), text.length)
}

/** Messages of a pseudo-language: readable, accented and 40 % longer, so that untranslated texts stand out. */
export const pseudoMessages = (texts: readonly string[]): Messages =>
  Object.fromEntries(texts.map((text) => [text, pseudoOf(withoutContext(text))]))
