import { untranslated } from '#schema/check/hints/texts.ts'
import { checkName } from '#schema/check/report/names.ts'
import { newReport } from '#schema/check/report/report.ts'
import { summaryKey } from '#schema/definition.ts'
import { systemFields } from '#schema/resource.ts'

/** A definition that was read from elsewhere. `doubts`: what a person has to look at, by field. */
export type Draft = {
  fields: Record<string, Record<string, unknown>>
  unique: string[][]
  doubts: { field: string; text: string }[]
}

export const newDraft = (): Draft => ({ fields: {}, unique: [], doubts: [] })

/** Names that no field may have, as the check tells them. */
function isReserved(name: string): boolean {
  const { report, faults } = newReport()
  checkName(report, name, name)
  return faults.some(({ code }) => code === 'reserved-name')
}

/** `ship_date`, `ShipDate` and `ship-date` as a field is called. */
export function fieldName(text: string): string {
  const camel = (/[a-z]/.test(text) ? text : text.toLowerCase())
    .replace(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
    .replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (head) => head.toLowerCase())
    .replace(/^[^a-z]+/, '')
    .slice(0, 56)
  if (camel === '') return 'value'
  return isReserved(camel) && !isSystemName(camel) ? `${camel}Value` : camel
}

export const isSystemName = (name: string): boolean => Object.hasOwn(systemFields, name)

/**
 * Fields without those that take the name of a reference's summary: descriptions of APIs often have the record that
 * `customerId` points to as `customer` beside it. `field` is the field of the record that these are part of, if any.
 */
export function withoutSummaries<T extends { type?: unknown }>(
  fields: Record<string, T>,
  draft: Draft,
  field = '',
): Record<string, T> {
  const summaries = new Map(
    Object.entries(fields).flatMap(([name, { type }]) => (type === 'reference' ? [[summaryKey(name), name] as const] : [])),
  )
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => {
      const reference = summaries.get(name)
      if (reference === undefined) return true
      draft.doubts.push({
        field: field || reference,
        text: `"${name}" is left out: the record that "${reference}" points to travels under this name.`,
      })
      return false
    }),
  )
}

/** `plannedOn` → `Planned on`. A reference is called by what it points to, a quantity without its unit. */
export function labelText(name: string): string {
  const words = name
    .replace(/(?<=[a-z])Ids?$/, '')
    .replace(/(?<=[a-z])(Wh|W|Ah|Hz|Pct|Kg|V)$/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** A text with a mark in the Russian place, of which the check reminds. */
export const toTranslate = (text: string): [string, string] => [text, `${untranslated}${text}`]

/** `Delivery` → `Deliveries`, `Box` → `Boxes`. */
export const pluralOf = (word: string): string =>
  /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}ies` : /(s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`

/** The resource that a table is called after: `customers` and `site_visit` are `customer` and `site-visit`. */
export function resourceOfTable(table: string, known: ReadonlySet<string>): string | undefined {
  const name = table.replaceAll('_', '-')
  return [name, name.replace(/ies$/, 'y'), name.replace(/es$/, ''), name.replace(/s$/, '')].find((one) => known.has(one))
}

export const labelOf = (name: string): [string, string] => toTranslate(labelText(name))

/** Units that the end of a name tells beyond doubt. */
const unitByEnding = { Wh: 'Wh', W: 'W', Ah: 'Ah', Hz: 'Hz', Pct: '%', Kg: 'kg', V: 'V' } as const

/** The facts of a number: with a unit where its name says one. */
export function numberFacts(name: string, facts: Record<string, unknown>, isWhole: boolean): Record<string, unknown> {
  const ending = Object.entries(unitByEnding).find(
    ([end]) => name.endsWith(end) && /[a-z0-9]$/.test(name.slice(0, -end.length)),
  )
  if (!ending) return { type: isWhole ? 'integer' : 'decimal', ...facts }
  return ending[1] === '%' ? { type: 'percent', ...facts } : { type: 'quantity', unit: ending[1], ...facts }
}

const isWord = (key: string) => /^[A-Za-z_]\w*$/.test(key)
const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', ' ')}'`

function inLine(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(inLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([key, part]) => `${isWord(key) ? key : quoted(key)}: ${inLine(part)}`)
    .join(', ')} }`
}

const widest = 120

/** Data as a definition is written: on one line where it fits, else a line for each part. */
function written(value: unknown, indent: string, before: number): string {
  const line = inLine(value)
  if (before + line.length <= widest || typeof value !== 'object' || value === null) return line
  const deeper = `${indent}  `
  if (Array.isArray(value))
    return `[\n${value.map((part) => `${deeper}${written(part, deeper, deeper.length)},\n`).join('')}${indent}]`
  const parts = Object.entries(value).map(([key, part]) => {
    const head = `${deeper}${isWord(key) ? key : quoted(key)}: `
    return `${head}${written(part, deeper, head.length)},\n`
  })
  return `{\n${parts.join('')}${indent}}`
}

/** `site-visit` → `siteVisit`. */
export const camelOf = (name: string): string => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** The file of a definition out of a draft. */
export function draftText(name: string, { fields, unique, doubts }: Draft, origin: string): string {
  const rows = Object.entries(fields).map(([key, field]) => {
    const doubt = doubts.filter((one) => one.field === key).map(({ text }) => `    // ${text}\n`)
    const head = `    ${key}: `
    return `${doubt.join('')}${head}${written(field, '    ', head.length)},\n`
  })
  const title = labelText(camelOf(name))
  const about = doubts.filter(({ field }) => !Object.hasOwn(fields, field)).map(({ text }) => `// ${text}\n`)
  return `import { defineResource } from '#schema/resource.ts'

${about.join('')}/** Drafted from ${origin}: translate the texts that begin with “Перевести:”, and say who may do what. */
export const ${camelOf(name)} = defineResource({
  name: ${quoted(name)},
  label: { one: ${inLine(toTranslate(title))}, many: ${inLine(toTranslate(pluralOf(title)))} },
  icon: 'file',
${unique.length > 0 ? `  unique: ${inLine(unique)},\n` : ''}  fields: {
${rows.join('')}  },
  access: { list: ['admin'], create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
`
}

/** The draft as a definition, for its check. */
export const draftResource = (name: string, { fields, unique }: Draft) => ({
  name,
  label: { one: labelOf(camelOf(name)), many: labelOf(camelOf(name)) },
  ...(unique.length > 0 ? { unique } : {}),
  fields,
})
