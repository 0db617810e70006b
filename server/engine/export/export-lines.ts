import { type RawBuilder, sql } from 'kysely'
import type { Fields } from '#schema/field-types.ts'
import type { Sort } from '#schema/list-query.ts'
import { topOf } from '#schema/rule.ts'
import type { Caller } from '#server/base/caller.ts'
import type { Queryable } from '#server/db/query.ts'
import { readPage } from '#server/engine/records/reader.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import type { Source } from '#server/engine/sql/field-sql.ts'
import { byteOrderMark, csvLine } from './csv.ts'
import type { CsvColumn } from './csv-columns.ts'
import { keysetPages } from './keyset-pages.ts'

const pageSize = 1_000

export type Export = {
  source: Source
  columns: readonly CsvColumn[]
  /** Fields of the caller's list rows. */
  fields: Fields
  caller: Caller
  where: RawBuilder<boolean>
  sort: readonly Sort[]
}

/** Fields that the columns need, and the id. */
const neededFields = (fields: Fields, columns: readonly CsvColumn[]): Fields => {
  const names = new Set(['id', ...columns.flatMap(({ reads }) => reads.map(topOf))])
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)))
}

/** Streams a list as CSV in pages of a thousand rows, with constant memory. The first chunk has the header. */
export async function* exportLines(db: Queryable, asked: Export): AsyncGenerator<string> {
  const { source, columns, fields, caller, where, sort } = asked
  const read = neededFields(fields, columns)
  let piece = `${byteOrderMark}${csvLine(columns.map(({ head }) => head))}`
  for await (const ids of keysetPages(db, { source, where, sort, size: pageSize })) {
    const these = sql<boolean>`${where} and "t"."id" = any(${sql.val(ids)}::text[])`
    // Sorted by id, which is cheap: the list order is already known.
    const query = { filters: [], sort: [{ field: 'id', order: 'asc' }], start: 0, end: pageSize } as const
    const rows: Row[] = JSON.parse(await readPage(db, { source, fields: read, role: caller.role, where: these, query }))
    const byId = new Map(rows.map((row) => [row.id, row]))
    for (const id of ids) {
      const row = byId.get(id)
      if (row) piece += csvLine(columns.map(({ cell }) => cell(row)))
    }
    yield piece
    piece = ''
  }
  if (piece) yield piece
}
