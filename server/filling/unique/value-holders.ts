import { type RawBuilder, sql } from 'kysely'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** Changes of a record. */
export type Wanted = { id: string; change: Row }

/** The record `by` has the values of these fields that the change of the record `id` would bring. */
type Held = { id: string; by: string; set: readonly string[] }

/** Fields that are unique, each by itself or several together; `isMeant` leaves some of the former out. */
export const setsOf = (
  { fields, unique = [] }: AnyResource,
  isMeant: (field: Field) => boolean = () => true,
): (readonly string[])[] => [
  ...Object.entries(fields).flatMap(([name, field]) => (field.unique && isMeant(field) ? [[name]] : [])),
  ...unique,
]

export const touches = (change: Row, set: readonly string[]) => set.some((name) => Object.hasOwn(change, name))

/** The part of a change that is unique. */
export function uniqueChange(resource: AnyResource, change: Row): Row {
  const unique = new Set(setsOf(resource).flat())
  return Object.fromEntries(Object.entries(change).filter(([name]) => unique.has(name)))
}

/** The record "t" has the values of these fields that "given" has. */
export const sameValues = (set: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    set.map((name) => sql`"t".${sql.id(name)} = "given".${sql.id(name)}`),
    sql` and `,
  )

const atOnce = 500

/** Records that have the unique values which others are to get. Compared in the database, which knows the types. */
export async function holdersOf(db: Queryable, resource: AnyResource, wanted: readonly Wanted[]): Promise<Held[]> {
  const table = sql.table(tableOf(resource))
  const held: Held[] = []
  for (const set of setsOf(resource)) {
    const asked = wanted.flatMap(({ id, change }) =>
      touches(change, set)
        ? [{ id, change: Object.fromEntries(Object.entries(change).filter(([name]) => set.includes(name))) }]
        : [],
    )
    for (let at = 0; at < asked.length; at += atOnce) {
      const found = await rowsOf(
        db,
        sql<Omit<Held, 'set'>>`select "_own"."id", "t"."id" as "by"
          from jsonb_to_recordset(${JSON.stringify(asked.slice(at, at + atOnce))}::jsonb) as "asked"("id" text, "change" jsonb)
          join ${table} "_own" on "_own"."id" = "asked"."id"
          cross join lateral jsonb_populate_record("_own", "asked"."change") as "given"
          join ${table} "t" on ${sameValues(set)} and "t"."id" <> "_own"."id"`,
      )
      held.push(...found.map((one) => ({ ...one, set })))
    }
  }
  return held
}

/** Those that wait for one of the `first`, and those that wait for these, and so on; `first` among them. */
export function waitingFor<T>(first: Iterable<T>, needs: readonly { row: T; by: T }[]): Set<T> {
  const waiting = new Map<T, T[]>()
  for (const { row, by } of needs) {
    const known = waiting.get(by)
    if (known) known.push(row)
    else waiting.set(by, [row])
  }
  const all = new Set(first)
  // A set is walked with what is added on the way.
  for (const by of all) for (const row of waiting.get(by) ?? []) all.add(row)
  return all
}
