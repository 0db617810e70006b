import type { Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import { columnTypeOf, isStored } from '#server/engine/sql/column-types.ts'
import { type Existing, isWider } from '#server/engine/sql/existing.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type Column, choicesName, setIndexName, type TablePlan, uniqueIndexName } from '#server/engine/sql/table-plan.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import { filledBy, otherMeasure, presentMeasure } from './measures.ts'
import { type NoteCheck, noteChecks } from './notes.ts'
import type { ObstacleKind } from './obstacles.ts'
import { havePartsChanged, looseOptions } from './part-turns.ts'
import { appliedField, appliedOf, type Renames } from './renames.ts'
import { type KnownIds, pointsOtherwise, presentField, targetOf } from './targets.ts'

/** A field whose rows have to be looked at, since the definition asks of them what it did not ask before. */
export type FieldCheck = {
  /** `parts`: a group or a list, whose parts differ from those of `before`. */
  kind: Exclude<ObstacleKind, 'lost' | 'convert' | 'left' | 'beside'> | 'parts'
  resource: AnyResource
  name: string
  field: Field
  choices?: ReadonlySet<unknown>
  /** Type that the values have: a field's, or a column's where none is known. */
  stored?: string
  /** The field by which the rows were written, where that is known. */
  before?: Field
  /** The former and the present meaning of the values, where they differ. */
  meaning?: { stored: string; defined: string }
  /** Ids of the records that a field or its parts may point to; read where they decide. */
  ids?: KnownIds
  /** Fields that are unique together. */
  together?: readonly string[]
  /** Type of the column that the field is to have. */
  column: string
}

/**
 * `from`: the name of the table as long as it is not renamed; `former`: columns that still have another name; `leftovers`: columns that
 * no definition names; `gone`: those among them whose values may go; `notes`: what is narrower than it was; `demands`: fields that only
 * some rows have to fill.
 */
export type TableCheck = {
  table: string
  from: string
  former: ReadonlyMap<string, string>
  resource: string
  columns: ReadonlyMap<string, string>
  fields: FieldCheck[]
  notes: NoteCheck[]
  demands: FieldCheck[]
  leftovers: string[]
  /** New fields by the leftover whose values they could take over. */
  heirs: ReadonlyMap<string, readonly string[]>
  gone: string[]
}

/** True where fewer values fit than fitted before. */
function isNarrower(before: Field, now: Field): boolean {
  if (before.type !== now.type) return true
  const [had, has] = [looseOptions(before), looseOptions(now)]
  return !!has && (!had || had.some((option) => !has.includes(option)))
}

const sameCondition = (one: Field, other: Field) =>
  JSON.stringify([one.when, one.required]) === JSON.stringify([other.when, other.required])

/** A constant default fills the rows that are there. */
const fillsRows = (field: Field) => filledBy(field) !== undefined

/** The database as it is after the renames, the definitions that it stands by, and those that it is to follow. */
export type Seen = { existing: Existing; applied: AppliedDefinitions; definitions: Definitions; renames: Renames }

/** Column as the catalogue has it: its type, its choices, its uniqueness. */
function* columnChecks({ table, indexes }: TablePlan, name: string, column: Column, seen: Seen): Generator<FieldCheck, void> {
  const { existing, applied, definitions } = seen
  const { field, choices } = column
  const resource = definitions.get(column.resource)
  const type = existing.columns.get(table)?.get(name)
  if (!resource || type === undefined) return
  const known = appliedOf(applied, resource)
  const about = { resource, name, field, column: column.type }
  const isOther = type !== column.type && !isWider(type, column.type)
  const stood = appliedField(known, name, field)
  // A column may be another one than the definition of before says: then its own type is told.
  const stored = stood && columnTypeOf(stood) === type ? stood.type : type
  const constraint = existing.checks.get(choicesName(table, name))
  if (isOther) yield { ...about, kind: 'type', stored }
  else if (choices && !(constraint?.isKept && constraint.comment === choices.join(' ')))
    yield { ...about, kind: 'choice', choices: new Set(choices), stored }
  const key = uniqueIndexName(table, name)
  // An index of the old column says nothing of converted values.
  const isKept = existing.indexes.has(key) && !isOther
  if (indexes.has(key) && !isKept && (!isOther || field.convert)) yield { ...about, kind: 'unique' }
}

type About = Pick<FieldCheck, 'resource' | 'name' | 'field' | 'column'>

/** Values that are to mean another thing than they did when they were written. */
function* meaningChecks(about: About, before: Field, definitions: Definitions): Generator<FieldCheck, void> {
  const { field, column } = about
  const isReadable = field.convert !== undefined || columnTypeOf(before) === column
  if (isReadable && pointsOtherwise(before, field, definitions))
    yield { ...about, kind: 'target', meaning: { stored: targetOf(before) ?? before.type, defined: targetOf(field) ?? '' } }
  const stood = presentMeasure(before, about.resource.fields)
  const other = otherMeasure(stood, field)
  if (other) {
    const { kind, ...meaning } = other
    yield { ...about, kind, meaning, before: stood }
  }
}

/** Values that need not fit any more. */
function* valueChecks(about: About, before: Field): Generator<FieldCheck, void> {
  const { field } = about
  const isSameKind = before.type === field.type && 'fields' in field && 'fields' in before
  if (isSameKind && havePartsChanged(before.fields, field.fields)) yield { ...about, kind: 'parts', before }
  if (isNarrower(before, field)) yield { ...about, kind: 'value', stored: before.type }
}

/** Demands of the definition that were not there when the tables were last aligned. */
function* fieldChecks(resource: AnyResource, { existing, applied, definitions }: Seen): Generator<FieldCheck, void> {
  const columns = existing.columns.get(tableOf(resource))
  const known = appliedOf(applied, resource)
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!isStored(field)) continue
    const stood = appliedField(known, name, field)
    const before = stood && presentField(stood, definitions)
    const about = { resource, name, field, column: columnTypeOf(field) }
    const isNew = !columns?.has(name)
    const wasRequired = before?.required && isStored(before) && sameCondition(before, field)
    if (field.required && (isNew ? !fillsRows(field) : known && !wasRequired)) yield { ...about, kind: 'required' }
    if (!before || isNew) continue
    yield* meaningChecks(about, before, definitions)
    yield* valueChecks(about, before)
  }
}

/** Fields that are unique together and were not. */
function* setChecks(resource: AnyResource, { existing }: Seen): Generator<FieldCheck, void> {
  const table = tableOf(resource)
  for (const together of resource.unique ?? []) {
    const field = resource.fields[together[0] ?? '']
    const isThere = together.every((name) => existing.columns.get(table)?.has(name))
    if (field && isThere && !existing.indexes.has(setIndexName(table, together)))
      yield { resource, name: together.join(' + '), field, column: columnTypeOf(field), kind: 'unique', together }
  }
}

/** Bounds that are narrower than those of the fields by which the rows were written. */
function narrowedBounds(resource: AnyResource, { existing, applied }: Seen): NoteCheck[] {
  const columns = existing.columns.get(tableOf(resource))
  const known = appliedOf(applied, resource)
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const before = columns?.has(name) && isStored(field) ? appliedField(known, name, field) : undefined
    return before ? noteChecks(resource, [name], before, field) : []
  })
}

/** Fields that a changed value of another one may make required, where they are not looked at anyway. */
const demandsOf = (resources: readonly AnyResource[], fields: readonly FieldCheck[]): FieldCheck[] =>
  resources.flatMap((resource) =>
    Object.entries(resource.fields).flatMap(([name, field]): FieldCheck[] => {
      const isOpen = !isStored(field) || field.required === undefined || (field.required === true && !field.when)
      if (isOpen || fields.some((check) => check.kind === 'required' && check.name === name)) return []
      return [{ kind: 'required', resource, name, field, column: columnTypeOf(field) }]
    }),
  )

/** New fields with a column of this type that do not say what they were. */
const heirsIn = ({ columns }: TablePlan, have: ReadonlyMap<string, string>, type: string | undefined): string[] =>
  [...columns].flatMap(([name, column]) =>
    !have.has(name) && column.type === type && column.field.was === undefined ? [name] : [],
  )

/** Checks of the rows before the tables may follow the definitions. Tables that nothing is asked of are left out. */
export function tableChecks(plans: readonly TablePlan[], seen: Seen): TableCheck[] {
  const { existing, definitions, renames } = seen
  const checks = plans.flatMap((plan): TableCheck[] => {
    const { table } = plan
    const columns = existing.columns.get(table)
    if (!columns || existing.views.has(table)) return []
    const resources = [...definitions.values()].filter((resource) => tableOf(resource) === table)
    const byColumn: FieldCheck[] = [...plan.columns].flatMap(([name, column]) => [...columnChecks(plan, name, column, seen)])
    const byField: FieldCheck[] = resources.flatMap((resource) => [
      ...fieldChecks(resource, seen),
      ...setChecks(resource, seen),
    ])
    const isOther = ({ name }: FieldCheck) => byColumn.some((check) => check.name === name && check.kind !== 'unique')
    const fields = [...byColumn, ...byField.filter((check) => check.kind !== 'value' || !isOther(check))]
    const others = [...columns.keys()].filter((name) => !plan.columns.has(name) && !Object.hasOwn(systemFields, name))
    const mayGo = new Set(resources.flatMap(({ gone = [] }) => gone))
    return [
      {
        table,
        from: renames.tables.find(({ to }) => to === table)?.from ?? table,
        former: new Map(renames.columns.filter((rename) => rename.table === table).map(({ from, to }) => [from, to])),
        resource: resources[0]?.name ?? table,
        columns,
        fields,
        notes: resources.flatMap((resource) => narrowedBounds(resource, seen)),
        demands: demandsOf(resources, fields),
        leftovers: others.filter((name) => !mayGo.has(name)),
        heirs: new Map(others.map((name) => [name, heirsIn(plan, columns, columns.get(name))])),
        gone: others.filter((name) => mayGo.has(name)),
      },
    ]
  })
  return checks.filter(
    ({ fields, notes, leftovers, gone }) => fields.length + notes.length + leftovers.length + gone.length > 0,
  )
}
