import type { CompiledQuery } from 'kysely'
import type { Fields } from '#schema/field-types.ts'
import { SingleFlight } from '#server/base/single-flight.ts'
import type { Queryable } from '#server/db/query.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type ListRequest, pageSql, totalSql } from './reader.ts'
import { manyTables } from './totals.ts'

/** SQL of a list: a page of fields as JSON text, and the total, which changes of `table` invalidate. */
export type ListStatements = {
  page: CompiledQuery<{ json: string }>
  total: CompiledQuery<{ total: number }>
  table: string
  fields: Fields
  start: number
  end: number
  /** Set when the page is equal for all callers: after a change all open consoles request it at once. */
  singleFlight?: SingleFlight<string>
}

export function listStatements(db: Queryable, asked: ListRequest): ListStatements {
  const { source, where, fields, query } = asked
  // A journal has an entry of each change, which is announced as a change of its record alone.
  const looksElsewhere = source.resource.journal !== undefined || /\bselect\b/.test(where.compile(db).sql)
  return {
    page: pageSql(db, asked).compile(db),
    total: totalSql(source, where).compile(db),
    table: looksElsewhere ? manyTables : tableOf(source.resource),
    fields,
    start: query.start,
    end: query.end,
  }
}

const most = 200
const longestKey = 300

/** Cache of list statements. Those without parameters are shared by all callers of a role for the same address. */
export class ListStatementCache {
  readonly #known = new Map<string, ListStatements>()

  of(key: string, make: () => ListStatements): ListStatements {
    const known = this.#known.get(key)
    if (known) return known
    const made = make()
    const isSame = made.page.parameters.length === 0 && made.total.parameters.length === 0
    if (!isSame || key.length > longestKey) return made
    const shared = { ...made, singleFlight: new SingleFlight<string>() }
    if (this.#known.size >= most) this.#known.clear()
    this.#known.set(key, shared)
    return shared
  }
}
