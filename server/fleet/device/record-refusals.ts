import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { Problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { type AskedKey, keyWorks } from '#server/fleet/ingest/known-keys.ts'
import type { DeviceGuard } from './device-guard.ts'

const keptMs = dayMs
/** Bounds the number of remembered addresses against floods of invalid keys. */
const mostAddresses = 1_000

/** Records the use of an expired key. */
const recordFormerKey = (db: Queryable, { hash, now }: AskedKey, ip: string) =>
  rowOf(
    db,
    sql`insert into "formerKey" ("hash", "controlPcbId", "endedAt", "seenAt", "ip")
      select ${hash}, "k"."controlPcbId", coalesce("k"."oldUntil", ${now}::timestamptz), ${now}, ${ip} from (
        select "controlPcbId", null::timestamptz as "oldUntil" from "formerKey" where "hash" = ${hash}
        union all select "controlPcbId", "oldUntil" from "deviceKey" where ${hash} in ("hash", "nextHash", "oldHash") limit 1) "k"
      on conflict ("hash") do update set "seenAt" = excluded."seenAt", "ip" = excluded."ip" returning 1`,
  )

async function recordUnknownKey(db: Queryable, { now }: AskedKey, ip: string): Promise<void> {
  await sql`delete from "strangeKey" where "seenAt" < ${new Date(now.getTime() - keptMs)}`.execute(db)
  await sql`insert into "strangeKey" as "s" ("ip", "seenAt") select ${ip}, ${now}::timestamptz
      where exists (select 1 from "strangeKey" where "ip" = ${ip}) or (select count(*) from "strangeKey") < ${mostAddresses}
    on conflict ("ip") do update set "seenAt" = excluded."seenAt", "tries" = "s"."tries" + 1`.execute(db)
}

const recordRefusal = (db: Queryable, key: AskedKey, code: string) =>
  sql`insert into "boardContact" ("controlPcbId", "refusal", "refusedAt")
      select "k"."controlPcbId", ${code}, ${key.now}::timestamptz from "deviceKey" "k" where ${keyWorks(key)}
    on conflict ("controlPcbId") do update set "refusal" = excluded."refusal", "refusedAt" = excluded."refusedAt"`.execute(db)

/**
 * Records refused calls of boards and sources of unknown keys, so that an installer sees why a connection fails. A rate-limited
 * request causes no database access.
 */
export function recordRefusals(api: Api, { database: { kysely }, log }: ServerContext, guard: DeviceGuard): void {
  async function note(request: FastifyRequest, code: string): Promise<void> {
    const key = guard.keyOf(request)
    if (code === 'device-key.unknown') {
      if (!(await recordFormerKey(kysely, key, request.ip))) await recordUnknownKey(kysely, key, request.ip)
    } else if (guard.hasPassed(request)) await recordRefusal(kysely, key, code)
  }
  api.addHook('onError', async (request, _reply, error) => {
    if (!(error instanceof Problem) || error.status >= 500) return
    await note(request, error.code).catch((reason: unknown) => log.warn(reason, 'a refused call of a board could not be noted'))
  })
}
