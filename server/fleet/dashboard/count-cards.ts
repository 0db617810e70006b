import { type RawBuilder, sql } from 'kysely'
import { rolesFor } from '#schema/definition.ts'
import { parseListQuery } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { SummaryCard } from '#schema/wire/summary.ts'
import type { Caller } from '#server/base/caller.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Catalog, sourceFor } from '#server/engine/records/catalog.ts'
import { readablePath } from '#server/engine/records/visible-fields.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import { type Source, tableOf, valueSql } from '#server/engine/sql/field-sql.ts'
import { filterSql, selectionSql } from '#server/engine/sql/where.ts'
import type { CardRow } from './cards.ts'

type Asking = { catalog: Catalog; caller: Caller; now: Date }
type Planned = { card: CardRow; query: string; test: RawBuilder<boolean>; key: RawBuilder<unknown> | undefined }

const weekMs = 7 * 86_400_000

function filtersOf({ where = {} }: CardRow, now: Date): Record<string, string | string[]> {
  const moments: Readonly<Record<string, Date>> = { $now: now, $weekAgo: new Date(now.getTime() - weekMs) }
  const filled = (value: string) => moments[value]?.toISOString() ?? value
  return Object.fromEntries(
    Object.entries(where).map(([key, value]) => [key, typeof value === 'string' ? filled(value) : value.map(filled)]),
  )
}

const addressOf = (filters: Readonly<Record<string, string | readonly string[]>>): string =>
  new URLSearchParams(Object.entries(filters).flatMap(([key, value]) => [value].flat().map((each) => [key, each]))).toString()

/** A card as SQL, checked like an address of the list; undefined when the caller could not open that list. */
function plan(card: CardRow, source: Source, { caller, now }: Asking): Planned | undefined {
  const readable = readablePath(source.resource, caller.role)
  if (card.by && !readable(card.by)) return undefined
  const input = filtersOf(card, now)
  const { query, faults } = parseListQuery(source.resource, input, { readable })
  if (faults.length > 0) return undefined
  const tests = query.filters.map((filter) => filterSql(source, filter))
  return {
    card,
    query: addressOf(input),
    test: tests.length > 0 ? sql<boolean>`(${sql.join(tests, sql` and `)})` : sql<boolean>`true`,
    key: card.by ? valueSql(source, card.by) : undefined,
  }
}

type Counted = { place: number; value: string | null; count: number }

const keyName = (index: number) => sql.id(`k${index}`)
const testName = (index: number) => sql.id(`f${index}`)

/** All cards of one list in one pass over its rows: what the fields are worked out from is read once, since it is materialized. */
async function countAll(db: Queryable, source: Source, planned: readonly Planned[], asking: Asking): Promise<Counted[]> {
  const { caller, now } = asking
  const scope = source.resource.scope?.[caller.role]
  const selection = selectionSql(source, {
    query: { filters: [] },
    rules: scope ? [scope] : [],
    context: ruleContext(caller, now),
    readable: () => true,
  })
  const columns = planned.flatMap(({ key, test }, index) => [
    sql`${test} as ${testName(index)}`,
    sql`${key ? sql`(${key})::text` : sql`null::text`} as ${keyName(index)}`,
  ])
  const table = sql.table(tableOf(source.resource))
  const parts = planned.map(
    (_, index) =>
      sql<Counted>`select ${index}::int4 as "place", ${keyName(index)} as "value", count(*) as "count" from "rows"
        where ${testName(index)} group by ${keyName(index)}`,
  )
  return rowsOf(
    db,
    sql<Counted>`with "rows" as materialized (select ${sql.join(columns)} from ${table} as "t" where ${selection})
      ${sql.join(parts, sql` union all `)}`,
  )
}

async function statesOf(db: Queryable, catalog: Catalog, { states }: CardRow): Promise<Map<string, string[]>> {
  const resource = states && catalog.definitions.get(states.resource)
  if (!resource) return new Map()
  const source = sourceFor(catalog, resource)
  const rows = await rowsOf(
    db,
    sql<{ value: string; states: string[] }>`select ${valueSql(source, states.match)} as "value",
      jsonb_agg(distinct ${valueSql(source, states.field)}) as "states" from ${sql.table(tableOf(resource))} as "t" group by 1`,
  )
  return new Map(rows.map(({ value, states: found }) => [value, found]))
}

async function cardsOfList(db: Queryable, resource: AnyResource, rows: readonly CardRow[], asking: Asking) {
  const source = sourceFor(asking.catalog, resource, asking.caller)
  const planned = rows.flatMap((card) => plan(card, source, asking) ?? [])
  if (planned.length === 0) return []
  const counted = await countAll(db, source, planned, asking)
  return Promise.all(
    planned.map(async ({ card, query }, index): Promise<SummaryCard> => {
      const own = counted.filter(({ place }) => place === index).toSorted((a, b) => b.count - a.count)
      const count = own.reduce((sum, group) => sum + group.count, 0)
      const figure = { key: card.key, resource: resource.name, query, count }
      if (!card.by) return figure
      const states = await statesOf(db, asking.catalog, card)
      const groups = own.map(({ value, count: size }) => ({
        value,
        count: size,
        ...(states.size > 0 ? { states: states.get(value ?? '') ?? [] } : {}),
      }))
      return { ...figure, by: card.by, groups }
    }),
  )
}

/** The figures that a caller may see, in the order of the cards; one statement for each list. */
export async function countCards(db: Queryable, rows: readonly CardRow[], asking: Asking): Promise<SummaryCard[]> {
  const names = [...new Set(rows.map(({ resource }) => resource))]
  const lists = names.flatMap((name) => {
    const resource = asking.catalog.definitions.get(name)
    const isOpen = resource && rolesFor(resource, 'list').includes(asking.caller.role)
    return isOpen
      ? [
          cardsOfList(
            db,
            resource,
            rows.filter((row) => row.resource === name),
            asking,
          ),
        ]
      : []
  })
  const found = (await Promise.all(lists)).flat()
  return rows.flatMap(({ key }) => found.find((card) => card.key === key) ?? [])
}
