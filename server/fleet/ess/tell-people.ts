import { sql } from 'kysely'
import type { Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'

type Person = { essId: string; userId: string }

/**
 * Tells people that a system has come to them or is lost to them: the change itself reaches those only who may see the system
 * after it.
 */
export async function tellPeople(
  people: readonly Person[],
  type: Exclude<Change['type'], 'updated'>,
  { db, changed }: Pick<Work, 'changed'> & { db: Queryable },
): Promise<void> {
  if (people.length === 0) return
  const ids = [...new Set(people.map(({ essId }) => essId))]
  const found = await rowsOf(
    db,
    sql<{ id: string; version: number }>`select "id", "version" from "ess" where "id" = any(${sql.val(ids)}::text[])`,
  )
  const versions = new Map(found.map(({ id, version }) => [id, version]))
  for (const { essId, userId } of people)
    changed({ resource: 'ess', id: essId, version: versions.get(essId) ?? 1, type, userId })
}
