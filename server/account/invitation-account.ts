import { sql } from 'kysely'
import { type Queryable, rowOf } from '#server/db/query.ts'

/** Id of the open invitation to complete a user's account, if any. */
export async function openAccountInvitation(db: Queryable, userId: string): Promise<string | undefined> {
  const row = await rowOf(
    db,
    sql<{ id: string }>`select "id" from "invitation" where "userId" = ${userId} and "kind" = 'ACCOUNT'
      and "state" in ('PENDING', 'EXPIRED') order by "createdAt" desc limit 1`,
  )
  return row?.id
}
