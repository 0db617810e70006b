import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { ServerContext } from '#server/base/context.ts'
import { rowsOf } from '#server/db/query.ts'

const batch = 5_000

/** Deletes deliveries older than `WEBHOOK_DELIVERIES_KEPT_DAYS`, held ones too, and expired signing secrets. */
export async function pruneDeliveries(
  { database, config }: Pick<ServerContext, 'database' | 'config'>,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const { kysely } = database
  const before = new Date(now.getTime() - config.webhookDeliveriesKeptDays * dayMs)
  for (let gone = batch; gone === batch && !signal?.aborted; ) {
    const rows = await rowsOf(
      kysely,
      sql`delete from "webhook_delivery" where "id" in (select "id" from "webhook_delivery" where "createdAt" < ${before}
        order by "createdAt" limit ${batch}) returning "id"`,
    )
    gone = rows.length
  }
  await sql`delete from "webhookSecret" where "until" <= ${now}`.execute(kysely)
}
