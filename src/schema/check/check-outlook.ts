import { isWritable } from '#schema/definition.ts'
import { type Fields, tones } from '#schema/field-types.ts'
import { iconNames } from '#schema/icon-names.ts'
import { isObject } from '#schema/is-object.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import type { KnownNames } from './report/known-names.ts'
import { checkLabel, entriesOf, type Report, unknownKeys, unknownWord, unknownWords } from './report/report.ts'

type Definitions = ReadonlyMap<string, AnyResource>
type Facts = Readonly<Record<string, unknown>>

const numbers: ReadonlySet<string> = new Set(['integer', 'decimal', 'percent', 'count', 'quantity'])
const numbersIn = (fields: Fields): string[] => Object.keys(fields).filter((name) => numbers.has(fields[name]?.type ?? ''))

function checkOne(report: Report, resource: AnyResource, all: Definitions, { outlooks }: KnownNames): void {
  const { name, outlook } = resource
  const path = `${name}.outlook`
  if (outlook === undefined) return
  if (!isObject(outlook) || !Array.isArray(outlook.values) || outlook.values.length === 0)
    return report('wrong-type', path, 'an outlook is { of, values, help? }, and at least one field decides')
  unknownKeys(report, 'unknown-key', path, outlook, ['of', 'values', 'help'], 'an outlook')
  unknownWord(report, 'unknown-resource', `${path}.of`, outlook.of, [...all.keys()], 'resource')
  const open = Object.entries(resource.fields).flatMap(([key, field]) => (isWritable(field, 'create') ? [key] : []))
  unknownWords(report, 'unknown-field', `${path}.values`, outlook.values, open, 'field of the form')
  if (outlook.help !== undefined) checkLabel(report, `${path}.help`, outlook.help)
  if (outlooks && !outlooks.includes(name))
    report('no-outlook', path, 'the rules of the resource have no `outlook`, so nothing answers; add one, or drop the fact')
}

function checkNumber(report: Report, path: string, word: unknown, fields: Fields): void {
  unknownWord(report, 'unknown-field', path, word, numbersIn(fields), 'number')
}

function checkDivision(report: Report, resource: AnyResource, path: string, divides: unknown, fields: Fields): void {
  if (!isObject(divides) || !Array.isArray(divides.usual) || divides.usual.length === 0)
    return report(
      'wrong-type',
      path,
      'a division is { count, share, label, usual }, with the rows that an empty list stands for',
    )
  unknownKeys(report, 'unknown-key', path, divides, ['count', 'share', 'label', 'usual'], 'a division')
  checkLabel(report, `${path}.label`, divides.label)
  for (const part of ['count', 'share'] as const) checkNumber(report, `${path}.${part}`, divides[part], fields)
  for (const [index, row] of divides.usual.entries())
    unknownKeys(report, 'unknown-field', `${path}.usual[${index}]`, row, numbersIn(fields), 'a row')
  if (resource.outlook === undefined)
    report('divides-nothing', path, 'the form has no `outlook`, so there is nothing to divide; add one, or drop divides')
}

function checkBars(report: Report, path: string, bars: unknown, fields: Fields): void {
  if (!isObject(bars) || entriesOf(bars.counts).length === 0)
    return report('wrong-type', path, 'bars are { by, counts }, with a tone for at least one count')
  unknownKeys(report, 'unknown-key', path, bars, ['by', 'counts'], 'bars')
  unknownWord(report, 'unknown-field', `${path}.by`, bars.by, Object.keys(fields), 'field')
  for (const [name, tone] of entriesOf(bars.counts)) {
    checkNumber(report, `${path}.counts.${name}`, name, fields)
    unknownWord(report, 'unknown-tone', `${path}.counts.${name}`, tone, tones, 'tone')
  }
}

function checkPart(report: Report, path: string, part: unknown): void {
  if (!isObject(part)) return report('wrong-type', path, 'a line of a flow is { icon, tone?, consumes?, positive?, negative? }')
  unknownKeys(report, 'unknown-key', path, part, ['icon', 'tone', 'consumes', 'positive', 'negative'], 'a line of a flow')
  unknownWord(report, 'unknown-icon', `${path}.icon`, part.icon, iconNames, 'icon')
  if (part.tone !== undefined) unknownWord(report, 'unknown-tone', `${path}.tone`, part.tone, tones, 'tone')
  for (const sign of ['positive', 'negative']) if (part[sign] !== undefined) checkLabel(report, `${path}.${sign}`, part[sign])
}

/** Checks the flow of a group: its lines are quantities of one unit, so that they can be compared. */
export function checkFlow(report: Report, path: string, flow: unknown, fields: Readonly<Record<string, unknown>>): void {
  if (!isObject(flow) || entriesOf(flow.parts).length === 0)
    return report('wrong-type', path, 'a flow is { restBelow?, parts }, with at least one part')
  unknownKeys(report, 'unknown-key', path, flow, ['restBelow', 'parts'], 'a flow')
  const unitOf = (field: unknown) => (isObject(field) && field.type === 'quantity' ? field.unit : undefined)
  const quantities = Object.keys(fields).filter((name) => unitOf(fields[name]))
  const measured = new Set<unknown>()
  for (const [name, part] of entriesOf(flow.parts)) {
    const at = `${path}.parts.${name}`
    unknownWord(report, 'unknown-field', at, name, quantities, 'quantity')
    const unit = unitOf(fields[name])
    if (unit) measured.add(unit)
    checkPart(report, at, part)
  }
  if (measured.size > 1)
    report('mixed-units', `${path}.parts`, `lines of a flow have one unit, and not ${[...measured].join(' and ')}`)
}

/** Checks the headings of a group's parts. */
export function checkPartSections(report: Report, path: string, sections: unknown, fields: Facts): void {
  if (!Array.isArray(sections)) return report('wrong-type', path, 'sections of a group are a list of { label, fields }')
  const placed = new Set<unknown>()
  for (const [index, section] of sections.entries()) {
    const at = `${path}[${index}]`
    if (!isObject(section)) report('wrong-type', at, 'a section of a group is { label, fields }')
    else {
      unknownKeys(report, 'unknown-key', at, section, ['label', 'fields'], 'a section')
      checkLabel(report, `${at}.label`, section.label)
      unknownWords(report, 'unknown-field', `${at}.fields`, section.fields, Object.keys(fields), 'part')
      for (const name of [section.fields].flat()) {
        if (placed.has(name))
          report('field-in-two-sections', `${at}.fields`, `"${name}" already stands in another section; drop it in one of them`)
        placed.add(name)
      }
    }
  }
}

/** A confirmation that counts records needs an outlook on its resource. */
function checkAsked(report: Report, resource: AnyResource, path: string, { confirm, form, on }: Action): void {
  if (!isObject(confirm)) return
  const { outlook, typeAbove, typeToConfirm }: Facts = confirm
  if (outlook !== undefined && resource.outlook === undefined)
    report('no-outlook', `${path}.outlook`, 'the resource has no `outlook` that could be shown; add one, or drop it here')
  else if (outlook !== undefined && (form !== undefined || (on !== undefined && on !== 'record')))
    report('fact-in-vain', `${path}.outlook`, 'it is shown by the question about one record that has no form; drop it')
  if (typeAbove === undefined) return
  if (typeof typeAbove !== 'number' || !Number.isInteger(typeAbove) || typeAbove < 0)
    report('absurd-fact', `${path}.typeAbove`, `typeAbove is a whole number, and not ${String(typeAbove)}`)
  else if (outlook === undefined || typeToConfirm === undefined)
    report('fact-in-vain', `${path}.typeAbove`, 'it needs `outlook`, which counts, and `typeToConfirm`, which is typed')
}

/** Checks outlooks, division lists, bars, and confirmations that count. */
export function checkOutlook(report: Report, resource: AnyResource, all: Definitions, known: KnownNames): void {
  checkOne(report, resource, all, known)
  for (const [name, field] of Object.entries(resource.fields)) {
    if (field.type !== 'list') continue
    const path = `${resource.name}.fields.${name}`
    if (field.divides !== undefined) checkDivision(report, resource, `${path}.divides`, field.divides, field.fields)
    if (field.bars !== undefined) checkBars(report, `${path}.bars`, field.bars, field.fields)
  }
  for (const [name, action] of Object.entries(resource.actions ?? {}))
    checkAsked(report, resource, `${resource.name}.actions.${name}.confirm`, action)
}
