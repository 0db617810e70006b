import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import { topOf } from '#schema/rule.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { ColumnRename } from '#server/engine/changes/renames.ts'
import { RowScan, rowsAmong } from '#server/engine/changes/scan-rows.ts'
import type { TableCheck } from '#server/engine/changes/table-checks.ts'
import { conversionOf } from '#server/engine/changes/value-conversions.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/**
 * A table that keeps former values of records. `values`: its column of them, by field; `record`: the column of the record's id;
 * `owner`: the table whose rows say of which resource they are, with the column that names such a row.
 */
export type ValuePlace = {
  table: string
  values: string
  record: string
  owner: { table: string; by: string; resource: string }
}

/** Key of the names of fields whose former value is not kept, because the definitions do not take it any more. */
export const leftKey = '$left'

const rowsAtOnce = 1_000

/** Resources that share a table. */
const namesOf = (table: string, definitions: Definitions) =>
  sql.val([...definitions.values()].filter((resource) => tableOf(resource) === table).map(({ name }) => name))

const ofTable = ({ owner }: ValuePlace, table: string, definitions: Definitions) =>
  sql`"o"."id" = "k".${sql.id(owner.by)} and "o".${sql.id(owner.resource)} = any(${namesOf(table, definitions)}::text[])`

/** Puts former values under the present names of their fields. */
export async function renameKept(
  db: Queryable,
  { table, from, to }: ColumnRename,
  { places, definitions }: { places: readonly ValuePlace[]; definitions: Definitions },
): Promise<void> {
  for (const place of places) {
    const values = sql.id(place.values)
    await sql`update ${sql.table(place.table)} "k"
      set ${values} = ("k".${values} - ${from}::text) || jsonb_build_object(${to}::text, "k".${values}->${from}::text)
      from ${sql.table(place.owner.table)} "o"
      where ${ofTable(place, table, definitions)} and jsonb_exists("k".${values}, ${from}::text)`.execute(db)
  }
}

type Kept = { by: string; id: string; values: Row; record: Row | null }

/** Former values of a table's records, each with its record, in batches. */
async function* batchesOfKept(db: Queryable, place: ValuePlace, { table }: TableCheck, definitions: Definitions) {
  const [by, id] = [sql.id(place.owner.by), sql.id(place.record)]
  for (let after = ['', '']; ; ) {
    const kept: Omit<Kept, 'record'>[] = await rowsOf(
      db,
      sql<Omit<Kept, 'record'>>`select "k".${by} as "by", "k".${id} as "id", "k".${sql.id(place.values)} as "values"
        from ${sql.table(place.table)} "k", ${sql.table(place.owner.table)} "o"
        where ${ofTable(place, table, definitions)} and "k".${sql.id(place.values)} is not null
          and ("k".${by}, "k".${id}) > (${after[0]}::text, ${after[1]}::text)
        order by "k".${by}, "k".${id} limit ${rowsAtOnce}`,
    )
    const records = await rowsAmong(db, table, [...new Set(kept.map((one) => one.id))])
    yield kept.map((one): Kept => ({ ...one, record: records.get(one.id) ?? null }))
    const last = kept.at(-1)
    if (!last || kept.length < rowsAtOnce) return
    after = [last.by, last.id]
  }
}

/** Scans of former values, one for each set of names: its checks are costly to make. */
class KeptScans {
  readonly #scans = new Map<string, RowScan>()
  readonly #check: TableCheck
  readonly #now: string

  constructor(check: TableCheck, now: string) {
    this.#check = check
    this.#now = now
  }

  of(values: Row): RowScan {
    // A value by itself is nobody's duplicate.
    const fields = this.#check.fields.filter(({ name, kind }) => Object.hasOwn(values, name) && kind !== 'unique')
    const key = JSON.stringify([...new Set(fields.map(({ name }) => name))])
    const known = this.#scans.get(key)
    if (known) return known
    const scan = new RowScan({ ...this.#check, fields, former: new Map(), notes: [], demands: [] }, this.#now)
    this.#scans.set(key, scan)
    return scan
  }
}

/** Former values as the record would have them after the plan; undefined where nothing changes. */
async function valuesAfter({ values, record }: Kept, check: TableCheck, scans: KeptScans): Promise<Row | undefined> {
  const { changes, obstacles } = await scans.of(values).scanAlone({ ...record, ...values })
  const changed = changes.map(({ check: { name }, after }) => [name, after])
  const unfit = new Set([...obstacles.map(({ field }) => topOf(field)), ...check.gone])
  const left = Object.keys(values).filter((name) => unfit.has(name))
  if (changed.length + left.length === 0) return undefined
  const after = Object.entries({ ...values, ...Object.fromEntries(changed) }).filter(([name]) => !left.includes(name))
  const leftBefore: unknown = values[leftKey]
  const names = [...(Array.isArray(leftBefore) ? leftBefore : []), ...left]
  return { ...Object.fromEntries(after), ...(names.length > 0 ? { [leftKey]: names } : {}) }
}

/** Converts former values as the plan does those of the records, which it has not changed yet. */
export async function convertKept(
  db: Queryable,
  check: TableCheck,
  { places, definitions, now }: { places: readonly ValuePlace[]; definitions: Definitions; now: string },
): Promise<void> {
  const isConverted = check.fields.some((field) => field.kind === 'parts' || conversionOf(field, now))
  if (!isConverted && check.gone.length === 0) return
  const scans = new KeptScans(check, now)
  for (const place of places)
    for await (const batch of batchesOfKept(db, place, check, definitions)) {
      const changed: Omit<Kept, 'record'>[] = []
      for (const kept of batch) {
        const values = await valuesAfter(kept, check, scans)
        if (values) changed.push({ by: kept.by, id: kept.id, values })
      }
      if (changed.length === 0) continue
      await sql`update ${sql.table(place.table)} "k" set ${sql.id(place.values)} = "x"."values"
        from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as "x"("by" text, "id" text, "values" jsonb)
        where "k".${sql.id(place.owner.by)} = "x"."by" and "k".${sql.id(place.record)} = "x"."id"`.execute(db)
    }
}
