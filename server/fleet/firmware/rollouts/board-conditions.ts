import { type RawBuilder, sql } from 'kysely'
import type { Row } from '#server/engine/records/resource-rules.ts'

export const textsOf = (value: unknown): string[] | null =>
  Array.isArray(value) && value.length > 0 ? value.map(String) : null

const oneOf = (column: RawBuilder<unknown>, value: unknown): RawBuilder<unknown>[] => {
  const texts = textsOf(value)
  return texts ? [sql`${column} = any(${texts}::text[])`] : []
}

/** Conditions of a rollout on the boards "b" in the ESS "e". */
export const conditions = ({ controlPcbIds, hardwareRevisions, essModelIds, regions }: Row): RawBuilder<unknown> =>
  sql.join(
    [
      sql`true`,
      ...oneOf(sql`"b"."id"`, controlPcbIds),
      ...oneOf(sql`"b"."hardwareRevision"`, hardwareRevisions),
      ...oneOf(sql`"e"."essModelId"`, essModelIds),
      ...oneOf(
        sql`lower("e"."location"->>'region')`,
        textsOf(regions)?.map((region) => region.toLowerCase()),
      ),
    ],
    sql` and `,
  )
