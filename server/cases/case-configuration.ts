import { sql } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { changedValues } from '#server/domain/configuration-changes.ts'
import type { Row } from '#server/records/resource-rules.ts'
import { configurationsOf, type Span } from './case-sql.ts'

type Version = { version: number; desired: Row; before: Row | null } & Row

/** The configuration in force when a span began and every version that was asked for in it, each with what it changed. */
export async function caseConfiguration(database: Database, span: Span): Promise<Row[]> {
  const versions = await rowsOf(
    database.kysely,
    sql<Version>`select "v"."version", "v"."requestedAt", coalesce("u"."email", "v"."requestedBy") as "requestedBy", "v"."reason", "v"."outcome",
        "v"."outcomeAt", "v"."outcomeReason", "v"."desired",
        (select "b"."desired" from "configuration" "b" where "b"."controlPcbId" = "v"."controlPcbId" and "b"."version" = "v"."version" - 1) as "before"
      from ${configurationsOf(span)} "v" left join "user" "u" on "u"."id" = "v"."requestedBy" order by "v"."version"`,
  )
  return versions.map(({ before, ...version }) => ({
    ...version,
    changes: changedValues(before ?? {}, version.desired).map((field) => ({
      field,
      from: before?.[field] ?? null,
      to: version.desired[field] ?? null,
    })),
  }))
}
