import { type Definitions, titleOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { constantDefault } from '#schema/form/presets.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { columnTypeOf, isStored } from '#server/engine/sql/column-types.ts'
import { type ExistingTables, isWider } from '#server/engine/sql/existing-tables.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type Column, choicesName, setIndexName, type TablePlan, uniqueIndexName } from '#server/engine/sql/table-plan.ts'
import type { AppliedDefinitions } from './applied-definitions.ts'
import { conditionNotes } from './condition-notes.ts'
import { isNewTree } from './meaning/circles.ts'
import { isFilledReference } from './meaning/filled-references.ts'
import { meaningChecks } from './meaning/meaning-checks.ts'
import { type NoteCheck, noteChecks } from './notes.ts'
import type { ObstacleKind } from './obstacles.ts'
import { havePartsChanged, looseOptions } from './part-conversions.ts'
import { appliedField, appliedOf, appliedOver, type Renames, tableBefore } from './renames.ts'
import { Secrets } from './secrets.ts'
import { subsetPointers } from './subset-changes.ts'
import { type KnownIds, presentField } from './targets.ts'

/** A field whose rows must be scanned, because its definition requires something new. */
export type FieldCheck = {
  /** `parts`: a group or list whose parts differ from `before`. */
  kind: Exclude<ObstacleKind, 'lost' | 'convert' | 'left' | 'beside'> | 'parts'
  resource: AnyResource
  name: string
  field: Field
  choices?: ReadonlySet<unknown>
  /** Stored type: the former field's, or the column's when that is unknown. */
  stored?: string
  /** The field as of the last alignment, if known. */
  before?: Field
  /** Former and present meaning of the values, where they differ. */
  meaning?: { stored: string; defined: string }
  /** Ids of the records that a field or its parts may reference; loaded only when needed. */
  ids?: KnownIds
  /** Test of a row, where the kind has none. `held`: the row before its changes. */
  fits?: (value: unknown, row: Row, held: Row) => boolean
  /** Composite unique key. */
  together?: readonly string[]
  /** Required column type. */
  column: string
}

/**
 * `from`: table name before a rename; `former`: columns that still have another name; `leftovers`: columns that no definition
 * names; `gone`: those of them whose removal is declared; `notes`: narrower bounds; `demands`: fields that are required in some
 * rows only.
 */
export type TableCheck = {
  table: string
  from: string
  former: ReadonlyMap<string, string>
  resource: string
  /** The column of the title of its records, if it has one. */
  title?: string
  columns: ReadonlyMap<string, string>
  fields: FieldCheck[]
  notes: NoteCheck[]
  demands: FieldCheck[]
  leftovers: string[]
  secrets: Secrets
  /** New fields by the leftover column whose values they could take. */
  heirs: ReadonlyMap<string, readonly string[]>
  gone: string[]
}

/** True when the field accepts fewer values than before. */
function isNarrower(before: Field, now: Field): boolean {
  if (before.type !== now.type) return true
  const [had, has] = [looseOptions(before), looseOptions(now)]
  return !!has && (!had || had.some((option) => !has.includes(option)))
}

const sameCondition = (one: Field, other: Field) =>
  JSON.stringify([one.when, one.required]) === JSON.stringify([other.when, other.required])

const wasRequired = (before: Field | undefined, now: Field) =>
  before?.required !== undefined && isStored(before) && sameCondition(before, now)

/** A constant default also fills existing rows. */
const fillsRows = (field: Field) => constantDefault(field) !== undefined

/** The catalogue after the renames, the applied definitions, and the target ones. */
export type Seen = { existing: ExistingTables; applied: AppliedDefinitions; definitions: Definitions; renames: Renames }

/** Compares a column with the catalogue: type, choices, uniqueness. */
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
  // The column may differ from the former definition: then its own type is reported.
  const stored = stood && columnTypeOf(stood) === type ? stood.type : type
  const constraint = existing.checks.get(choicesName(table, name))
  if (isOther) yield { ...about, kind: 'type', stored }
  else if (choices && !(constraint?.isKept && constraint.comment === choices.join(' ')))
    yield { ...about, kind: 'choice', choices: new Set(choices), stored }
  const key = uniqueIndexName(table, name)
  // An index of the old column says nothing about converted values.
  const isKept = existing.indexes.has(key) && !isOther
  if (indexes.has(key) && !isKept && (!isOther || field.convert)) yield { ...about, kind: 'unique' }
}

type About = Pick<FieldCheck, 'resource' | 'name' | 'field' | 'column'>

/** Values that may no longer fit. */
function* valueChecks(about: About, before: Field): Generator<FieldCheck, void> {
  const { field } = about
  const isSameKind = before.type === field.type && 'fields' in field && 'fields' in before
  if (isSameKind && havePartsChanged(before.fields, field.fields)) yield { ...about, kind: 'parts', before }
  if (isNarrower(before, field)) yield { ...about, kind: 'value', stored: before.type }
}

/** Rows without a value, and the records that they are filled with. */
function* requiredChecks(about: About): Generator<FieldCheck, void> {
  const { field } = about
  yield { ...about, kind: 'required' }
  if (isFilledReference(field)) yield { ...about, kind: 'filled', meaning: { stored: '', defined: field.to } }
}

function* treeChecks(about: About, before: Field | undefined, definitions: Definitions): Generator<FieldCheck, void> {
  if (isNewTree(before, about.field, about.resource, definitions)) yield { ...about, kind: 'circle' }
}

/** Requirements that are new since the last alignment. */
function* fieldChecks(resource: AnyResource, { existing, applied, definitions }: Seen): Generator<FieldCheck, void> {
  const columns = existing.columns.get(tableOf(resource))
  const known = appliedOf(applied, resource)
  for (const [name, field] of Object.entries(resource.fields)) {
    if (!isStored(field)) continue
    const stood = appliedField(known, name, field)
    const before = stood && presentField(stood, definitions)
    const about = { resource, name, field, column: columnTypeOf(field) }
    const isNew = !columns?.has(name)
    if (field.required && (isNew ? !fillsRows(field) : known && !wasRequired(before, field))) yield* requiredChecks(about)
    if (known) yield* treeChecks(about, isNew ? undefined : before, definitions)
    if (!before || isNew) continue
    yield* meaningChecks(about, before, { definitions, fieldsBefore: known?.fields ?? {} })
    yield* valueChecks(about, before)
  }
}

/** New composite unique keys. */
function* setChecks(resource: AnyResource, { existing }: Seen): Generator<FieldCheck, void> {
  const table = tableOf(resource)
  for (const together of resource.unique ?? []) {
    const field = resource.fields[together[0] ?? '']
    const isThere = together.every((name) => existing.columns.get(table)?.has(name))
    if (field && isThere && !existing.indexes.has(setIndexName(table, together)))
      yield { resource, name: together.join(' + '), field, column: columnTypeOf(field), kind: 'unique', together }
  }
}

/** Bounds that are narrower than at the last alignment. */
function narrowedBounds(resource: AnyResource, { existing, applied }: Seen): NoteCheck[] {
  const columns = existing.columns.get(tableOf(resource))
  const known = appliedOf(applied, resource)
  return Object.entries(resource.fields).flatMap(([name, field]) => {
    const before = columns?.has(name) && isStored(field) ? appliedField(known, name, field) : undefined
    return before ? noteChecks(resource, [name], before, field) : []
  })
}

/** Fields that a changed value of another one may make required, unless they are checked anyway. */
const demandsOf = (resources: readonly AnyResource[], fields: readonly FieldCheck[]): FieldCheck[] =>
  resources.flatMap((resource) =>
    Object.entries(resource.fields).flatMap(([name, field]): FieldCheck[] => {
      const isOpen = !isStored(field) || field.required === undefined || (field.required === true && !field.when)
      if (isOpen || fields.some((check) => check.kind === 'required' && check.name === name)) return []
      return [{ kind: 'required', resource, name, field, column: columnTypeOf(field) }]
    }),
  )

/** New fields with this column type that do not declare a former name. */
const heirsIn = ({ columns }: TablePlan, have: ReadonlyMap<string, string>, type: string | undefined): string[] =>
  [...columns].flatMap(([name, column]) =>
    !have.has(name) && column.type === type && column.field.was === undefined ? [name] : [],
  )

/** Checks of rows before the tables are aligned. Tables without checks are omitted. */
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
    const title = resources[0] ? titleOf(resources[0]) : 'id'
    const mayGo = new Set(resources.flatMap(({ gone = [] }) => gone))
    return [
      {
        table,
        from: tableBefore(renames, table),
        former: new Map(renames.columns.filter((rename) => rename.table === table).map(({ from, to }) => [from, to])),
        resource: resources[0]?.name ?? table,
        ...(title !== 'id' && columns.has(title) ? { title } : {}),
        columns,
        fields,
        notes: resources.flatMap((resource) => [
          ...narrowedBounds(resource, seen),
          ...conditionNotes(resource, appliedOf(seen.applied, resource)),
          ...subsetPointers(resource, seen),
        ]),
        demands: demandsOf(resources, fields),
        leftovers: others.filter((name) => !mayGo.has(name)),
        secrets: new Secrets(resources, appliedOver(seen.applied, resources)),
        heirs: new Map(others.map((name) => [name, heirsIn(plan, columns, columns.get(name))])),
        gone: others.filter((name) => mayGo.has(name)),
      },
    ]
  })
  return checks.filter(
    ({ fields, notes, leftovers, gone }) => fields.length + notes.length + leftovers.length + gone.length > 0,
  )
}
