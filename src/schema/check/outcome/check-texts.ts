import { entriesOf, type Report } from '#schema/check/report/report.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { inlineLanguages } from '#schema/words.ts'

/** Placeholders that the console fills, by the end of the text's path. */
const known: readonly [end: RegExp, names: readonly string[]][] = [
  [/\.guard\.ask$/, ['value']],
  [/\.divides\.label$/, ['number']],
  [/\.ends(\.\w+)?\.label$/, ['count']],
  [/\.reveals\.(text|label)$/, ['secret', 'origin']],
]

/** Facts whose braces have checks of their own: paths of calls, sentences, and words for values. */
const otherBraces = ['call', 'why', 'also', 'worded']

const isLabel = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length === inlineLanguages.length && value.every((text) => typeof text === 'string')

/** The placeholders of a text; `isBroken`: a brace is unmatched. */
function bracesOf(text: string): { names: string[]; isBroken: boolean } {
  const names = [...text.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name.trim())
  return { names, isBroken: /[{}]/.test(text.replaceAll(/\{[^{}]*\}/g, '')) }
}

function checkText(report: Report, path: string, text: string): boolean {
  const among = known.find(([end]) => end.test(path))?.[1] ?? []
  const { names, isBroken } = bracesOf(text)
  const stray = names.find((name) => !among.includes(name))
  const near = { word: stray ?? '', among }
  if (isBroken) report('broken-text', path, `"${text}" has a brace without its other half; write both, or none`)
  else if (stray !== undefined) report('unknown-placeholder', path, `nothing fills "{${stray}}" in "${text}"`, near)
  return isBroken || stray !== undefined
}

/** A placeholder that one language has and the other has not: a number or a name is lost there. */
export function checkAlike(report: Report, path: string, texts: readonly string[]): void {
  const sets = texts.map((text) => new Set(bracesOf(text).names))
  const all = new Set(sets.flatMap((names) => [...names]))
  const lost = [...all].find((name) => sets.some((names) => !names.has(name)))
  if (lost !== undefined) report('placeholder-in-one', path, `"{${lost}}" stands in one language only; both texts say the same`)
}

function checkIn(report: Report, path: string, value: unknown): void {
  if (isLabel(value)) {
    if (!value.some((text) => checkText(report, path, text))) checkAlike(report, path, value)
  } else if (Array.isArray(value)) for (const [index, item] of value.entries()) checkIn(report, `${path}[${index}]`, item)
  else if (isObject(value))
    for (const [key, item] of entriesOf(value)) if (!otherBraces.includes(key)) checkIn(report, `${path}.${key}`, item)
}

/** Placeholders in texts: well formed, and filled at that place. */
export function checkTexts(report: Report, resource: AnyResource): void {
  checkIn(report, resource.name, resource)
}
