import { choiceLabels } from '#schema/facts/choice-labels.ts'
import { choicesIn, optionKeys } from '#schema/facts/choices.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isAbsent } from '#schema/form/is-empty.ts'
import { fieldBefore, namesBefore } from '#schema/former-names.ts'
import { isObject } from '#schema/is-object.ts'
import { valueSchema } from '#schema/value-schema.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { isMisread } from './meaning/meaning-checks.ts'
import { isSameMeasure, measureChange, measureOf, presentMeasure } from './meaning/measures.ts'
import { isMoved, movedLabels, movedTexts } from './meaning/moved-labels.ts'
import type { ObstacleKind } from './obstacles.ts'
import type { Step } from './steps.ts'
import type { FieldCheck } from './table-checks.ts'
import { isInside, targetOf } from './targets.ts'
import { type ConversionKind, conversionOf } from './value-conversions.ts'

/** A change of one part; `field` is its path, as in `office.floor`. */
export type PartStep = { kind: ConversionKind | 'rename' | 'gone'; field: string } & Pick<Step, 'from' | 'to'> & {
    isReplaced?: boolean | undefined
  }
/** A part that the definition would lose or misinterpret. */
export type PartFault = { kind: ObstacleKind; field: string; value: unknown; stored?: string; defined?: string }
export type ConvertedParts = { value: unknown; isLost: boolean; steps: PartStep[]; faults: PartFault[] }

type Place = { before: Fields; now: Fields; path: string }
type Context = { check: FieldCheck; row: Row; now: string; outcome: Omit<ConvertedParts, 'value'> }

/** Options whose values no database constraint checks. */
export const looseOptions = (field: Field | undefined): readonly unknown[] | undefined => {
  if (field?.type === 'integer' && field.options) return Object.keys(field.options)
  if (field?.type === 'tags' && field.options) return optionKeys(field.options)
  return undefined
}

/** The shape on which stored values depend: names, types, choices and their labels, requirements. Other texts are excluded. */
const shapeOf = (fields: Fields): unknown =>
  Object.entries(fields).map(([name, field]) => [
    name,
    field.type,
    choicesIn(field),
    [...choiceLabels(field)],
    field.required === true,
    targetOf(field),
    measureOf(field),
    'fields' in field ? shapeOf(field.fields) : undefined,
  ])

/** True when the rows must be scanned. */
export const havePartsChanged = (before: Fields, now: Fields): boolean =>
  JSON.stringify(shapeOf(before)) !== JSON.stringify(shapeOf(now))

/** True when the field accepts fewer values than before. */
const isNarrower = (before: Field | undefined, now: Field) => {
  if (before?.type !== now.type) return true
  const [had, has] = [choicesIn(before), choicesIn(now)]
  return has !== undefined && (!had || had.some((option) => !has.includes(option)))
}

/** An existing value: converted where the part requires it, a fault where it no longer fits. */
function convertLeaf(value: unknown, part: Field, was: Field | undefined, path: string, context: Context): unknown {
  const { check, row, now, outcome } = context
  const stored = was ? { stored: was.type } : {}
  const about = { field: path, defined: part.type, ...stored }
  const moved = was ? movedLabels(was, part) : new Map()
  if (isMoved(value, moved)) outcome.faults.push({ kind: 'label', field: path, value, ...movedTexts(moved) })
  if (was && isMisread(was, part)(value)) outcome.faults.push({ ...about, kind: 'meaning', value })
  const found = conversionOf({ ...check, kind: 'value', name: path, field: part, ...stored }, now)
  const converted = found?.conversion(value, row)
  if (converted && !converted.fits) outcome.faults.push({ ...about, kind: 'convert', value })
  if (found && converted?.fits) {
    if (!converted.isChanged) return value
    const types = found.kind === 'convert' ? { from: was?.type ?? '', to: part.type } : {}
    outcome.steps.push({ kind: found.kind, field: path, ...types, isReplaced: converted.isReplaced })
    outcome.isLost ||= converted.isLost
    return converted.value
  }
  if (targetOf(was) !== targetOf(part) && !isInside(part, value, check.ids))
    outcome.faults.push({
      kind: 'target',
      field: path,
      stored: targetOf(was) ?? was?.type ?? '',
      defined: targetOf(part) ?? '',
      value,
    })
  else if (!converted && isNarrower(was, part) && !valueSchema(part).safeParse(value).success)
    outcome.faults.push({ ...about, kind: 'value', value })
  return value
}

/** An empty part: filled if it has become required. */
function fill(value: unknown, part: Field, was: Field | undefined, path: string, context: Context): unknown {
  const { check, row, now, outcome } = context
  if (!part.required || part.when || was?.required || ('default' in part && !was)) return value
  const found = conversionOf({ ...check, kind: 'required', name: path, field: part }, now)?.conversion(null, row)
  if (!found?.isChanged) outcome.faults.push({ kind: 'required', field: path, value: null })
  else if (!isInside(part, found.value, check.ids))
    outcome.faults.push({ kind: 'filled', field: path, stored: '', defined: targetOf(part) ?? '', value: found.value })
  else outcome.steps.push({ kind: 'backfill', field: path })
  return found?.isChanged ? found.value : value
}

function convertPart(value: unknown, part: Field, was: Field | undefined, path: string, context: Context): unknown {
  if (isAbsent(value)) return fill(value, part, was, path, context)
  if (!('fields' in part)) return convertLeaf(value, part, was, path, context)
  return convertFields(value, { before: was && 'fields' in was ? was.fields : {}, now: part.fields, path }, context)
}

/** Numbers of one group, or of one item of a list, that were in another unit or currency. */
const otherMeasures = (held: Row, record: Row, { before, now, path }: Place): PartFault[] =>
  Object.entries(now).flatMap(([name, field]): PartFault[] => {
    const was = fieldBefore(before, name, field)
    const other = measureChange(was && presentMeasure(was, now), field, { fields: now, fieldsBefore: before })
    const isKept = isAbsent(record[name]) || isSameMeasure({ before: was, held }, { field, record, fields: now })
    return other && !isKept ? [{ field: `${path}.${name}`, value: record[name], ...other }] : []
  })

/** Values under their present names; a value without a part is lost, unless its removal is declared. */
function convertGroup(value: Row, { before, now, path }: Place, context: Context): Row {
  const { outcome, check } = context
  const left = new Map(Object.entries(value))
  const converted: Row = {}
  for (const [name, part] of Object.entries(now)) {
    if (part.derived) continue
    const held = [name, ...namesBefore(part)].find((known) => left.has(known)) ?? name
    const result = convertPart(left.get(held), part, before[held], `${path}.${name}`, context)
    if (held !== name && !isAbsent(left.get(held))) outcome.steps.push({ kind: 'rename', field: `${path}.${name}`, from: held })
    if (left.has(held) || result !== undefined) converted[name] = result
    left.delete(held)
  }
  outcome.faults.push(...otherMeasures(value, converted, { before, now, path }))
  for (const [name, kept] of left) {
    const field = `${path}.${name}`
    if (isAbsent(kept)) continue
    if (!check.resource.gone?.includes(field)) {
      outcome.faults.push({ kind: 'lost', field, value: kept })
      converted[name] = kept
      continue
    }
    outcome.steps.push({ kind: 'gone', field })
    outcome.isLost = true
  }
  return converted
}

function convertFields(value: unknown, place: Place, context: Context): unknown {
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? convertGroup(item, place, context) : item))
  return isObject(value) ? convertGroup(value, place, context) : value
}

/** The value of a group or list after the change, with its steps and faults. */
export function convertParts(check: FieldCheck, row: Row, now: string): ConvertedParts {
  const outcome: Context['outcome'] = { isLost: false, steps: [], faults: [] }
  const { field, name, before } = check
  const held = row[name]
  if (!('fields' in field) || isAbsent(held)) return { value: held, ...outcome }
  const place = { before: before && 'fields' in before ? before.fields : {}, now: field.fields, path: name }
  return { value: convertFields(held, place, { check, row, now, outcome }), ...outcome }
}
