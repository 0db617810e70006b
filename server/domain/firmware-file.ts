import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { rowOf } from '#server/db/query.ts'
import { problem } from '#server/problems.ts'
import type { Work } from '#server/records/resource-rules.ts'
import { notNow } from './relations.ts'

type Stored = { content: Buffer; sha256: string; name: string }

/** The stored bytes. Throws (409) when they are no longer those whose digest was taken at the upload. */
export async function storedFile(id: string, work: Work): Promise<Stored> {
  const row = await rowOf(
    work.db,
    sql<Stored>`select "c"."content", "f"."file"->>'sha256' as "sha256", "f"."file"->>'name' as "name"
      from "firmware" "f" join "firmwareFile" "c" on "c"."firmwareId" = "f"."id" where "f"."id" = ${id}`,
  )
  if (!row) throw problem('not-found')
  if (createHash('sha256').update(row.content).digest('hex') !== row.sha256) {
    throw notNow([
      'the stored file is damaged (integrity check failed); upload it again',
      'сохранённый файл повреждён (проверка целостности не пройдена); загрузите его снова',
    ])
  }
  return row
}
