import type { CompiledQuery } from 'kysely'
import { Together } from '#server/base/single-flight.ts'
import type { Queryable } from '#server/db/query.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { type ListRequest, pageSql, totalSql } from './reader.ts'
import { manyTables } from './totals.ts'

/** What a list asks of the database: a page as JSON text, and the number of rows, which changes in `table` may make another. */
export type ListStatements = {
  page: CompiledQuery<{ json: string }>
  total: CompiledQuery<{ total: number }>
  table: string
  /** Where the page is the same for all who ask: a change that all open consoles hear of makes them all ask at once. */
  together?: Together<string>
}

export function listStatements(db: Queryable, asked: ListRequest): ListStatements {
  const { source, where } = asked
  const looksElsewhere = /\bselect\b/.test(where.compile(db).sql)
  return {
    page: pageSql(db, asked).compile(db),
    total: totalSql(source, where).compile(db),
    table: looksElsewhere ? manyTables : tableOf(source.resource),
  }
}

const most = 200
const longestKey = 300

/**
 * The statements of lists that are asked for again and again. Those without parameters are the same for everybody of a role who asks
 * at the same address, so that they are worked out once.
 */
export class KeptStatements {
  readonly #known = new Map<string, ListStatements>()

  of(key: string, make: () => ListStatements): ListStatements {
    const known = this.#known.get(key)
    if (known) return known
    const made = make()
    const isSame = made.page.parameters.length === 0 && made.total.parameters.length === 0
    if (!isSame || key.length > longestKey) return made
    const shared = { ...made, together: new Together<string>() }
    if (this.#known.size >= most) this.#known.clear()
    this.#known.set(key, shared)
    return shared
  }
}
