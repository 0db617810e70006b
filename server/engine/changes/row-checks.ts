import { isRequired } from '#schema/form/conditions.ts'
import { isAbsent } from '#schema/form/is-empty.ts'
import type { RuleContext } from '#schema/rule.ts'
import { valueSchema } from '#schema/value-schema.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { inCircles } from './meaning/circles.ts'
import { isSameMeasure } from './meaning/measures.ts'
import type { Obstacle, ObstacleKind } from './obstacles.ts'
import type { FieldCheck } from './table-checks.ts'
import { type Example, mostExamples, type Tally } from './tally.ts'
import { isInside } from './targets.ts'

/** Context for a field's conditions without a caller. */
const nobody: RuleContext = { user: { id: '', role: 'admin' }, now: '' }

/** True when the row belongs to the resource, in a table shared by several. */
export const isOf = ({ resource }: Pick<FieldCheck, 'resource'>, row: Row) =>
  Object.entries(resource.subset?.where ?? {}).every(([name, value]) => row[name] === value)

export const asksFor = (check: FieldCheck, row: Row) => isOf(check, row) && isRequired(check.field, row, nobody)

type Fits = NonNullable<FieldCheck['fits']>

const inSameMeasure =
  ({ before, field, resource }: FieldCheck): Fits =>
  (value, record, held) =>
    isAbsent(value) || isSameMeasure({ before, held }, { field, record, fields: resource.fields })

const byItself = ({ fits = () => true }: FieldCheck): Fits => fits

const tests: Record<Exclude<FieldCheck['kind'], 'unique' | 'circle' | 'parts'>, (check: FieldCheck) => Fits> = {
  type: () => isAbsent,
  choice:
    ({ choices }) =>
    (value) =>
      isAbsent(value) || choices?.has(value) === true,
  value: ({ field }) => {
    const schema = valueSchema(field)
    return (value) => isAbsent(value) || schema.safeParse(value).success
  },
  target:
    ({ field, ids }) =>
    (value) =>
      isAbsent(value) || isInside(field, value, ids),
  currency: inSameMeasure,
  unit: inSameMeasure,
  measure: inSameMeasure,
  meaning: byItself,
  label: byItself,
  filled: byItself,
  required: (check) => (value, row) => !isAbsent(value) || !asksFor(check, row),
}

export const aboutOf = ({
  kind,
  resource,
  name,
  field,
  stored,
  meaning,
}: Omit<FieldCheck, 'kind'> & { kind: ObstacleKind }) => ({
  kind,
  resource: resource.name,
  field: name,
  ...meaning,
  ...(stored && kind !== 'choice' ? { stored, defined: field.type } : {}),
})

export type Found = Pick<Obstacle, 'kind' | 'resource' | 'field' | 'stored' | 'defined'>
/** Rows of the table by their ids, under present names. */
export type ReadRows = (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>
/** `end`: the rest of a check that needs all rows. */
export type RowCheck = { test: (row: Row, held: Row) => void; end?: (read: ReadRows) => Promise<void> }

/** Unique key of a row: the value of a field, or of a set whose values are all filled. */
function uniqueKey({ name, together }: FieldCheck, row: Row): unknown {
  if (!together) return row[name]
  const values = together.map((one) => row[one])
  return values.some(isAbsent) ? null : JSON.stringify(values)
}

/** A duplicate is reported with the first row of the same value. */
function duplicateCheck(check: FieldCheck, tally: Tally<Found>): RowCheck {
  const seen = new Map<unknown, Example | undefined>()
  const about = aboutOf({ ...check, kind: 'unique' })
  const test = (row: Row) => {
    const key = uniqueKey(check, row)
    if (isAbsent(key)) return
    const example = tally.example(check, row, check.together?.map((name) => row[name]) ?? row[check.name])
    const first = seen.get(key)
    if (first !== undefined) tally.add(about, first)
    if (seen.has(key)) tally.add(about, example)
    seen.set(key, seen.has(key) ? undefined : example)
  }
  return { test }
}

/** Rows of a tree that are their own ancestors. Of the rows only their parents are kept: a table may be large. */
function circleCheck(check: FieldCheck, tally: Tally<Found>): RowCheck {
  const parents = new Map<string, string>()
  const test = (row: Row) => {
    const parent = row[check.name]
    if (typeof parent === 'string') parents.set(String(row.id), parent)
  }
  const end = async (read: ReadRows) => {
    const found = inCircles(parents)
    const rows = found.length > 0 ? await read(found.slice(0, mostExamples)) : new Map<string, Row>()
    const about = aboutOf({ ...check, kind: 'circle' })
    for (const id of found) tally.add(about, tally.example(check, rows.get(id) ?? { id }, parents.get(id)))
    parents.clear()
  }
  return { test, end }
}

export function checkFor(check: FieldCheck, tally: Tally<Found>): RowCheck {
  const { kind } = check
  if (kind === 'unique') return duplicateCheck(check, tally)
  if (kind === 'circle') return circleCheck(check, tally)
  if (kind === 'parts') return { test: () => undefined }
  const [fits, about] = [tests[kind](check), aboutOf({ ...check, kind })]
  const test = (row: Row, held: Row) => {
    const value = row[check.name] ?? null
    if (!fits(value, row, held)) tally.add(about, tally.example(check, row, value))
  }
  return { test }
}
