import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type ExistingTables, readExistingTables } from '#server/engine/sql/existing-tables.ts'
import type { TablePlan } from '#server/engine/sql/table-plan.ts'
import { type AppliedDefinitions, readApplied } from './applied-definitions.ts'
import { countRows } from './count-rows.ts'
import { findLeftTables, type GoneTable, supersededTables, withoutTables } from './left-tables.ts'
import { withFilledTargets } from './meaning/filled-references.ts'
import type { Note } from './notes.ts'
import type { Obstacle } from './obstacles.ts'
import { findRenames, type Renames, renamedExisting, tableBefore } from './renames.ts'
import { batchesOf, type Change, RowScan, rowsAmong } from './scan-rows.ts'
import type { Secrets } from './secrets.ts'
import { exampleValue, mostStepExamples, type Step, type StepExample } from './steps.ts'
import { withSubsetIds } from './subset-changes.ts'
import { type FieldCheck, type TableCheck, tableChecks } from './table-checks.ts'
import { type Example, mostExamples } from './tally.ts'
import { knownIds, newTargets, type Seen } from './targets.ts'

/** The definitions to compare with, and the removed resources. `isStart`: a server start, where notes are not needed. */
export type ChangeQuery = { definitions: Definitions; goneResources?: readonly string[]; now: string; isStart?: boolean }

/**
 * Difference between a database and the definitions. `existing`: the present catalogue, without obsolete tables; `renamed`: the
 * catalogue after the renames.
 */
export type Changes = {
  existing: ExistingTables
  renamed: ExistingTables
  applied: AppliedDefinitions
  renames: Renames
  givingWay: readonly string[]
  goneTables: readonly GoneTable[]
  checks: readonly TableCheck[]
  steps: Step[]
  obstacles: Obstacle[]
  notes: Note[]
}

/** Column name before the renames. */
export const storedName = ({ former }: TableCheck, name: string) => [...former].find(([, to]) => to === name)?.[0] ?? name

/** A non-empty column that no definition names. */
async function lostIn(db: Queryable, check: TableCheck, field: string): Promise<Obstacle[]> {
  const { from, former, resource, heirs, title, secrets } = check
  const rows = await countRows(db, from, field)
  if (rows === 0) return []
  const column = sql.id(field)
  const named = title === undefined || secrets.has(title) ? sql`null` : sql.id(storedName(check, title))
  const found = await rowsOf(
    db,
    sql<Example & { title: unknown }>`select "id", ${column} as "value", ${named} as "title" from ${sql.table(from)}
      where ${column} is not null order by "id" limit ${mostExamples}`,
  )
  const examples = found.map(({ id, value: kept, title }): Example => {
    const value = secrets.shown(field, kept)
    return typeof title === 'string' && title !== '' ? { id, value, title } : { id, value }
  })
  return [{ kind: 'lost', resource, field, rows, examples, heirs: heirs.get(former.get(field) ?? field) ?? [] }]
}

/** A few that are converted, and more of those that `otherwise` replaces, as these need attention. */
function withExample(known: readonly StepExample[], example: StepExample): readonly StepExample[] {
  const { before, isReplaced = false } = example
  const alike = known.filter((one) => (one.isReplaced ?? false) === isReplaced)
  if (alike.length === (isReplaced ? mostExamples : mostStepExamples)) return known
  const text = exampleValue(before)
  return alike.some((one) => exampleValue(one.before) === text) ? known : [...known, example]
}

/** Counts changes per field and kind. */
class Counted {
  readonly #steps = new Map<string, Step>()
  readonly #secrets: Secrets

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  add(change: Change): void {
    const { resource, name, field, stored } = change.check
    const isReplaced = change.isReplaced === true
    const types = change.kind === 'convert' ? { from: stored ?? '', to: field.type } : {}
    const steps = change.kind === 'parts' ? change.parts : [{ kind: change.kind, field: name, ...types, isReplaced }]
    const [before, after] = [this.#secrets.shown(name, change.before), this.#secrets.shown(name, change.after)]
    const example = isReplaced ? { before, after, isReplaced } : { before, after }
    const keyOf = (step: { field: string; kind: string }) => `${resource.name} ${step.field} ${step.kind}`
    const replaced = new Set(steps.filter((step) => step.isReplaced).map(keyOf))
    // Several items of a list count as one row.
    const once = new Map(steps.map(({ isReplaced: _, ...step }) => [keyOf(step), step]))
    for (const [key, step] of once) {
      const { rows, examples = [], otherwise = 0 } = this.#steps.get(key) ?? { rows: 0 }
      const taken = otherwise + Number(replaced.has(key))
      const counted = { resource: resource.name, ...step, rows: rows + 1, ...(taken > 0 ? { otherwise: taken } : {}) }
      this.#steps.set(key, change.kind === 'parts' ? counted : { ...counted, examples: withExample(examples, example) })
    }
  }

  /** In field order, a filling last, regardless of the order of rows. */
  inOrderOf(fields: TableCheck['fields']): Step[] {
    const place = ({ field }: Step) => fields.findIndex(({ name }) => name === field || field?.startsWith(`${name}.`))
    const isLast = ({ kind }: Step) => Number(kind === 'backfill')
    return [...this.#steps.values()].toSorted((a, b) => place(a) - place(b) || isLast(a) - isLast(b))
  }
}

/** A check with the target ids that it needs. */
async function withIds(db: Queryable, check: FieldCheck, seen: Seen): Promise<FieldCheck> {
  if (check.kind === 'filled') return withFilledTargets(db, check, seen)
  const isAsked = check.kind === 'target' || check.kind === 'parts'
  return isAsked ? { ...check, ids: await knownIds(db, newTargets(check.before, check.field), seen) } : check
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('.') + 1)

/** A lost field whose values a new field could take is reported as lost only: filling the new one would discard them. */
function withoutLostAgain(obstacles: readonly Obstacle[]): Obstacle[] {
  const empty = obstacles.filter(({ kind }) => kind === 'required').map(({ field }) => field)
  const withHeirs = obstacles.map((obstacle): Obstacle => {
    const parent = parentOf(obstacle.field)
    if (obstacle.kind !== 'lost' || parent === '') return obstacle
    return {
      ...obstacle,
      heirs: empty.filter((field) => parentOf(field) === parent).map((field) => field.slice(parent.length)),
    }
  })
  const heirsOf = ({ field, heirs = [] }: Obstacle) => heirs.map((heir) => parentOf(field) + heir)
  const heirs = new Set(withHeirs.flatMap(heirsOf))
  const isHeir = ({ kind, field }: Obstacle) => kind === 'required' && heirs.has(field)
  return withHeirs
    .filter((obstacle) => !isHeir(obstacle))
    .map((obstacle) => {
      const own = heirsOf(obstacle)
      const emptied = withHeirs.flatMap((one) =>
        isHeir(one) && own.includes(one.field) ? [{ field: one.field, rows: one.rows }] : [],
      )
      return emptied.length > 0 ? { ...obstacle, emptied } : obstacle
    })
}

async function scanTable(db: Queryable, check: TableCheck, now: string) {
  const [scan, counted] = [new RowScan(check, now), new Counted(check.secrets)]
  if (check.fields.length + check.notes.length > 0)
    for await (const rows of batchesOf(db, check.from))
      for (const change of rows.flatMap((row) => scan.scanRow(row))) counted.add(change)
  await scan.finish((ids) => rowsAmong(db, check.from, ids))
  const obstacles = [...scan.obstacles]
  const steps = counted.inOrderOf(check.fields)
  for (const name of check.leftovers) obstacles.push(...(await lostIn(db, check, storedName(check, name))))
  for (const field of check.gone) {
    const rows = await countRows(db, check.from, storedName(check, field))
    if (rows > 0) steps.push({ kind: 'gone', resource: check.resource, field, rows })
  }
  return { obstacles: withoutLostAgain(obstacles), steps, notes: scan.notes }
}

async function renameSteps(db: Queryable, { resources, tables, columns }: Renames): Promise<Step[]> {
  const steps: Step[] = []
  for (const { from, to } of resources) {
    const table = tables.find(({ resource }) => resource === to)?.from
    steps.push({ kind: 'resource', resource: to, from, rows: table ? await countRows(db, table) : 0 })
  }
  for (const { resource, from } of tables)
    if (!resources.some(({ to }) => to === resource))
      steps.push({ kind: 'resource', resource, from, rows: await countRows(db, from) })
  for (const { resource, table, from, to } of columns) {
    const before = tableBefore({ tables }, table)
    steps.push({ kind: 'rename', resource, field: to, from, rows: await countRows(db, before, from) })
  }
  return steps
}

/** Computes the differences and their effect on rows; changes nothing. */
export async function findChanges(
  db: Queryable,
  plans: readonly TablePlan[],
  { definitions, goneResources = [], now, isStart }: ChangeQuery,
): Promise<Changes> {
  const whole = await readExistingTables(db)
  const givingWay = await supersededTables(db, definitions, whole)
  const { existing, applied } = withoutTables({ existing: whole, applied: await readApplied(db) }, givingWay)
  const renames = findRenames(plans, definitions, { existing, applied })
  const renamed = renamedExisting(existing, renames)
  const checks = tableChecks(plans, { existing: renamed, applied, definitions, renames })
  const [steps, obstacles] = [await renameSteps(db, renames), [] as Obstacle[]]
  const notes: Note[] = []
  for (const check of checks) {
    const fields: FieldCheck[] = []
    for (const field of check.fields) fields.push(await withIds(db, field, { existing, definitions, renames }))
    const asked = isStart ? [] : await withSubsetIds(db, check.notes, definitions, { applied, renames, existing })
    const found = await scanTable(db, { ...check, fields, notes: asked }, now)
    steps.push(...found.steps)
    obstacles.push(...found.obstacles)
    notes.push(...found.notes)
  }
  const left = await findLeftTables(db, { existing: renamed, applied, definitions }, goneResources)
  steps.push(...left.steps)
  obstacles.push(...left.obstacles)
  return { existing, renamed, applied, renames, givingWay, goneTables: left.gone, checks, steps, obstacles, notes }
}
