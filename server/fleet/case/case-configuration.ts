import { sql } from 'kysely'
import { maskedEmail, personName } from '#server/account/client-contacts.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { changedValues } from '#server/fleet/configuration/configuration-changes.ts'
import { configurationsOf, type Span } from './case-sql.ts'

type Version = { version: number; desired: Row; before: Row | null } & Row

/** The configuration in effect at the start of a span and every version requested in it, each with its changes. */
export async function caseConfiguration(database: Database, span: Span): Promise<Row[]> {
  const versions = await rowsOf(
    database.kysely,
    sql<Version>`select "v"."version", "v"."requestedAt", coalesce(${personName(maskedEmail)}, "v"."requestedBy") as "requestedBy", "v"."reason", "v"."outcome",
        "v"."outcomeAt", "v"."outcomeReason", "v"."desired",
        (select "b"."desired" from "configuration" "b" where "b"."controlPcbId" = "v"."controlPcbId" and "b"."version" = "v"."version" - 1) as "before"
      from ${configurationsOf(span)} "v" left join "user" "t" on "t"."id" = "v"."requestedBy" order by "v"."version"`,
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
