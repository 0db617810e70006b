import { sql } from 'kysely'
import { rowOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { imageProblem } from './image-problems.ts'

/**
 * Four-eyes principle: if configured, the person who uploaded or tested an image may not release it. The immutable audit log
 * shows who that was; its entries are written in the transaction of the change.
 */
export async function requireSecondPerson(id: string, { db, caller, config }: Work): Promise<void> {
  if (!config.releaseBySecondPerson) return
  const own = await rowOf(
    db,
    sql`select 1 from "firmware" where "id" = ${id} and "uploadedBy" = ${caller.userId}
      union all
      select 1 from "auditLog" where "entityType" = 'firmware' and "entityId" = ${id} and "actorId" = ${caller.userId}
        and "result" = 'OK' and "after"->>'status' = 'TESTING' limit 1`,
  )
  if (own) throw imageProblem('firmware.second-person')
}
