import { type RawBuilder, sql } from 'kysely'
import { rolesFor } from '#schema/definition.ts'
import { figureFilters, figuresOf, type NamedFigure } from '#schema/figures.ts'
import { parseListQuery } from '#schema/list-query.ts'
import type { SummaryCard } from '#schema/wire/summary.ts'
import type { Caller } from '#server/base/caller.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Catalog, sourceFor } from '#server/engine/records/catalog.ts'
import { readablePath } from '#server/engine/records/visible-fields.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import { type Source, tableOf, valueSql } from '#server/engine/sql/field-sql.ts'
import { filterSql, selectionSql } from '#server/engine/sql/filter-and-order.ts'
import { seenValueSql } from '#server/engine/sql/seen-sql.ts'
import { RowsBeside } from '#server/engine/sql/shared-rows.ts'

export type Asking = { catalog: Catalog; caller: Caller; now: Date }
/** Without a `test` all rows count. */
type Planned = { named: NamedFigure; query: string; test: RawBuilder<boolean> | undefined; by: RawBuilder<unknown> | undefined }

const addressOf = (filters: Readonly<Record<string, readonly string[]>>): string =>
  new URLSearchParams(Object.entries(filters).flatMap(([key, values]) => values.map((value) => [key, value]))).toString()

/** A figure as SQL, validated like a list address; undefined when the caller may not open that list. */
function plan(named: NamedFigure, source: Source, { caller, now }: Asking): Planned | undefined {
  const { figure } = named
  if (figure.roles && !figure.roles.includes(caller.role)) return undefined
  const readable = readablePath(source.resource, caller.role)
  if (figure.by && !readable(figure.by)) return undefined
  const input = figureFilters(source.resource, figure, now)
  const { query, faults } = parseListQuery(source.resource, input, { readable })
  if (faults.length > 0) return undefined
  const tests = query.filters.map((filter) => filterSql(source, filter))
  return {
    named,
    query: addressOf(input),
    test: tests.length > 0 ? sql<boolean>`(${sql.join(tests, sql` and `)})` : undefined,
    by: figure.by ? seenValueSql(source, figure.by) : undefined,
  }
}

type Counted = { place: number; value: string | null; count: number }

const keyName = (index: number) => sql.id(`k${index}`)
const testName = (index: number) => sql.id(`f${index}`)

/** Rows that any figure counts: where each has a test, an index finds them among a history that is a thousand times as long. */
function countedRows(planned: readonly Planned[]): RawBuilder<unknown> {
  const tests = planned.flatMap(({ test }) => test ?? [])
  return tests.length === planned.length ? sql` and (${sql.join(tests, sql` or `)})` : sql``
}

type Pass = { source: Source; beside: RowsBeside; planned: readonly Planned[] }

/** All figures of one list in one pass: rows are materialised, so that derived fields are computed once. */
async function countAll(db: Queryable, { source, beside, planned }: Pass, { caller, now }: Asking): Promise<Counted[]> {
  const scope = source.resource.scope?.[caller.role]
  const selection = selectionSql(source, {
    query: { filters: [] },
    rules: scope ? [scope] : [],
    context: ruleContext(caller, now),
    readable: () => true,
  })
  const columns = planned.flatMap(({ by, test }, index) => [
    sql`${test ?? sql`true`} as ${testName(index)}`,
    sql`${by ? sql`(${by})::text` : sql`null::text`} as ${keyName(index)}`,
  ])
  const table = sql.table(tableOf(source.resource))
  const parts = planned.map(
    (_, index) =>
      sql<Counted>`select ${index}::int4 as "place", ${keyName(index)} as "value", count(*) as "count" from "rows"
        where ${testName(index)} group by ${keyName(index)}`,
  )
  return rowsOf(
    db,
    sql<Counted>`with "rows" as materialized (select ${sql.join(columns)} from ${table} as "t"${beside.joins()}
        where ${selection}${countedRows(planned)})
      ${sql.join(parts, sql` union all `)}`,
  )
}

async function statesOf(db: Queryable, catalog: Catalog, { figure }: NamedFigure): Promise<Map<string, string[]>> {
  const states = figure.by === undefined ? undefined : figure.states
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

/** Figures of one list that the caller may see. */
export async function countList(db: Queryable, figures: readonly NamedFigure[], asking: Asking): Promise<SummaryCard[]> {
  const [first] = figures
  if (!first) return []
  const { resource } = first
  const source = sourceFor(asking.catalog, resource, asking.caller)
  const beside = new RowsBeside()
  const planned = figures.flatMap((named) => plan(named, { ...source, beside }, asking) ?? [])
  if (planned.length === 0) return []
  const counted = await countAll(db, { source, beside, planned }, asking)
  return Promise.all(
    planned.map(async ({ named, query }, index): Promise<SummaryCard> => {
      const own = counted.filter(({ place }) => place === index).toSorted((a, b) => b.count - a.count)
      const count = own.reduce((sum, group) => sum + group.count, 0)
      const { key, figure } = named
      const card = { key, resource: resource.name, query, count }
      if (!figure.by) return card
      const states = await statesOf(db, asking.catalog, named)
      const groups = own.map(({ value, count: size }) => ({
        value,
        count: size,
        ...(states.size > 0 ? { states: states.get(value ?? '') ?? [] } : {}),
      }))
      return { ...card, by: figure.by, groups }
    }),
  )
}

/** Figures that a caller may see, in definition order; one statement per list. */
export async function countFigures(db: Queryable, asking: Asking): Promise<SummaryCard[]> {
  const { catalog, caller } = asking
  const open = [...catalog.definitions.values()].filter(
    (resource) => resource.figures && rolesFor(resource, 'list').includes(caller.role),
  )
  return (await Promise.all(open.map((resource) => countList(db, figuresOf([resource]), asking)))).flat()
}
