import { fieldAt } from '#schema/definition.ts'
import { choicesIn } from '#schema/facts/choices.ts'
import { type Field, type Fields, traits } from '#schema/field-types.ts'
import { moveOf } from '#schema/form/moved-time.ts'
import { isComputed, sourcesOf } from '#schema/form/presets.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { factsOf } from '#schema/value-schema.ts'
import { checkRule, pathsIn } from './check-rules.ts'
import { areAlike, kindWords, valueKindOf } from './check-values.ts'
import { cycleOf } from './report/dependency-cycle.ts'
import { newCount, type Report, withArticle } from './report/report.ts'

/** Placeholders of computed defaults, with the fields that accept their value. */
const signs: Readonly<Record<string, { fits: (field: Field) => boolean; words: string }>> = {
  $now: { fits: ({ type }) => type === 'dateTime', words: 'a moment; take a dateTime' },
  $today: { fits: ({ type }) => type === 'date', words: 'a day; take a date' },
  '$user.id': { fits: (field) => field.type === 'reference' && field.to === 'user', words: 'a user; take a reference to user' },
}

const presetOf = (field: Field): unknown =>
  'default' in field && Object.hasOwn(traits, field.type) && factsOf(field.type).includes('default') ? field.default : undefined
const computedOf = (field: Field | undefined): string | undefined => {
  const preset = isObject(field) ? presetOf(field) : undefined
  return isComputed(preset) ? preset : undefined
}

const moved = /^(\{[A-Za-z][\w.]*\}|\$now|\$today)([+-])(.*)$/

/** The fault of a moved time; undefined for a sound one, and for any other default. */
function moveSlip(preset: string): string | undefined {
  const [, from = '', sign = '', rest = ''] = moved.exec(preset) ?? []
  if (from === '' || moveOf(preset)) return undefined
  const units = 'd, w, m or y (days, weeks, months, years)'
  if (/^\d{1,4}$/.test(rest)) return `"${preset}" has no unit: write "${from}${sign}${rest}d", or another one of ${units}`
  return `"${preset}" is no time: behind ${from}${sign} stand a number of at most four figures and a unit: ${units}`
}

function checkSource(report: Report, path: string, field: Field, preset: string, name: string, all: Fields): void {
  const other = fieldAt(all, name)
  if (!other) return report('unknown-field', path, `"{${name}}" is no field here`, { word: name, among: pathsIn(all) })
  const isWhole = preset === `{${name}}`
  const isOfTime = isWhole && valueKindOf(field) === 'time' && field.type !== other.type
  if (isOfTime || (isWhole ? !areAlike(field, other) : valueKindOf(other) === 'none'))
    report(
      'wrong-kind',
      path,
      `"{${name}}" is ${isOfTime ? withArticle(other.type) : kindWords(other)}, and this is ${withArticle(field.type)}`,
    )
  else if (!isWhole && !['text', 'longText', 'code'].includes(field.type))
    report('wrong-kind', path, `${withArticle(field.type)} is not put together from texts`)
}

const leastOf = (field: Field | undefined): number => (field && 'minLength' in field ? (field.minLength ?? 1) : 1)
const rangeOf = (field: Field): { min: number; max: number } => ({
  min: 'min' in field ? (field.min ?? -Infinity) : -Infinity,
  max: 'max' in field ? (field.max ?? Infinity) : Infinity,
})

/** The reason why no value of the sources makes a value of the field; undefined when one may. */
function neverFits(field: Field, preset: string, all: Fields): string | undefined {
  const names = sourcesOf(preset)
  const constant = preset.replaceAll(/\{[\w.]+\}/g, '')
  const least = names.reduce((sum, name) => sum + leastOf(fieldAt(all, name)), constant.length)
  if ('maxLength' in field && field.maxLength !== undefined && least > field.maxLength)
    return `"${preset}" has at least ${least} characters, and the field takes ${field.maxLength}`
  if (field.type === 'code' && field.pattern === undefined && /[^A-Za-z0-9-]/.test(constant))
    return `a code has letters, figures and hyphens, and "${preset}" has others; give the field a \`pattern\`, or make it a text`
  const other = preset === `{${names[0]}}` ? fieldAt(all, names[0] ?? '') : undefined
  if (!other) return undefined
  const [own, theirs] = [choicesIn(field), choicesIn(other)]
  if (own && theirs && !theirs.some((choice) => own.includes(choice)))
    return `none of the choices of "${names[0]}" (${theirs.join(', ')}) is one of this field`
  const [range, from] = [rangeOf(field), rangeOf(other)]
  if (from.min > range.max || from.max < range.min) return `no number of "${names[0]}" lies between the bounds of this field`
  return undefined
}

function checkSources(report: Report, path: string, field: Field, preset: string, all: Fields): void {
  const counted = newCount(report)
  for (const name of sourcesOf(preset)) checkSource(counted.report, path, field, preset, name, all)
  const reason = counted.count() === 0 ? neverFits(field, preset, all) : undefined
  if (reason) report('bad-default', path, reason)
}

function checkPreset(report: Report, path: string, field: Field, preset: string, all: Fields): void {
  if (field.derived || field.sortOnly || field.type === 'status' || valueKindOf(field) === 'none')
    return report(
      'bad-default',
      path,
      `${field.derived ? 'a derived field' : withArticle(field.type)} has no computed default; drop it, or write a constant`,
    )
  const slip = moveSlip(preset)
  if (slip && (valueKindOf(field) === 'time' || preset.startsWith('$'))) return report('unknown-value', path, slip)
  const { from = preset } = moveOf(preset) ?? {}
  if (from !== preset && valueKindOf(field) !== 'time')
    return report('wrong-kind', path, `"${preset}" is a time; ${withArticle(field.type)} takes ${kindWords(field)}`)
  if (from.startsWith('$')) {
    const sign = Object.hasOwn(signs, from) ? signs[from] : undefined
    if (!sign)
      report('unknown-value', path, `"${preset}" stands for nothing`, {
        word: preset,
        among: [...Object.keys(signs), '$today+90d', '{field}+1y'],
      })
    else if (!sign.fits(field)) report('wrong-kind', path, `"${preset}" is ${sign.words}`)
    return
  }
  if (from !== preset) return checkSource(report, path, field, from, sourcesOf(from)[0] ?? '', all)
  checkSources(report, path, field, preset, all)
}

/** Checks computed defaults of a definition or a form; `all` holds the fields they may read. */
export function checkPresets(report: Report, path: string, fields: Fields, all: Fields): void {
  for (const [name, field] of Object.entries(fields)) {
    const preset = computedOf(field)
    if (preset === undefined) continue
    const at = `${path}.${name}.default`
    const cycle = cycleOf(name, (one) => sourcesOf(computedOf(fields[one]) ?? ''))
    if (cycle) report('circular-default', at, `the default is made of itself: ${cycle.join(' → ')}`)
    else checkPreset(report, at, field, preset, all)
  }
}

/** Checks rules in `required` and `readOnly`. */
export function checkFactRules(report: Report, resource: AnyResource, path: string, fields: Fields, all: Fields): void {
  for (const [name, field] of Object.entries(fields)) {
    const { required, readOnly } = field
    if (required !== undefined && required !== true) checkRule(report, resource, `${path}.${name}.required`, required, all)
    if (readOnly !== undefined && readOnly !== true) checkRule(report, resource, `${path}.${name}.readOnly`, readOnly, all)
  }
}

/** Composite unique keys: at least two stored, single-value fields. */
export function checkUnique(report: Report, resource: AnyResource): void {
  const { unique, name: own } = resource
  if (unique === undefined) return
  if (!Array.isArray(unique)) return report('wrong-type', `${own}.unique`, 'a list of sets: [[…, …]]')
  for (const [index, set] of unique.entries()) {
    const path = `${own}.unique[${index}]`
    if (!Array.isArray(set) || new Set(set).size < 2)
      return report('wrong-type', path, 'a set names two fields or more; one alone is `unique` by itself')
    for (const name of set) checkMember(report, path, resource, String(name))
  }
}

function checkMember(report: Report, path: string, { fields }: AnyResource, name: string): void {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) report('unknown-field', path, `there is no field "${name}"`, { word: name, among: Object.keys(fields) })
  else if (field.derived || field.sortOnly || field.type === 'count' || valueKindOf(field) === 'none')
    report('can-not-be-unique', path, `"${name}" has no single value that is stored; name fields that have one`)
  else if (field.unique) report('needless-unique', path, `"${name}" is unique by itself, so every set with it is; drop the set`)
}
