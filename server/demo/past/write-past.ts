import { sql } from 'kysely'
import { dayMs } from '#schema/format/durations.ts'
import { insertRows } from '#server/db/insert-rows.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { Random } from '#server/demo/random.ts'
import type { Cast } from '#server/demo/simulator/demo-script.ts'
import { injectFaults } from '#server/demo/simulator/fault-store.ts'
import { writeJournal } from './journal.ts'
import { openStandingWarnings } from './standing-warnings.ts'
import { pastUpdates } from './updates.ts'
import { type Crew, pastDays, pastFaults, pastWarnings } from './warnings.ts'

async function crewOf(db: Queryable): Promise<Crew> {
  const office = await rowsOf(
    db,
    sql<{
      id: string
    }>`select "id" from "user" where "role" in ('admin', 'moderator') and "deletedAt" is null order by "createdAt", "id"`,
  )
  const engineers = await rowsOf(
    db,
    sql<{ essId: string; userId: string }>`select "essId", "userId" from "service_engineer" where "state" = 'ACTIVE'`,
  )
  return { office: office.map(({ id }) => id), engineerOf: new Map(engineers.map(({ essId, userId }) => [essId, userId])) }
}

type Writing = { cast: readonly Cast[]; seed: number; now: Date; samplesFromMs: number; isFirst: boolean }

/**
 * Two months before the first start: faults by the chance of those to come, their warnings and who acknowledged them, updates, a
 * rollout, and the audit log of the first start. Faults in the days of samples are kept, so that the samples show them.
 */
export async function writePast(db: Queryable, { cast, seed, now, samplesFromMs, isFirst }: Writing): Promise<void> {
  const nowMs = now.getTime()
  const random = new Random(seed + 1)
  const crew = await crewOf(db)
  const [admin] = crew.office
  if (admin === undefined) return
  const faults = pastFaults(cast, seed, { fromMs: nowMs - pastDays * dayMs, nowMs })
  const boards = new Map(cast.map((board) => [board.id, board]))
  await insertRows(db, 'telemetry_warning', pastWarnings({ random, nowMs, crew, boards }, faults))
  await injectFaults(
    db,
    faults.filter(({ fromMs }) => fromMs >= samplesFromMs),
  )
  await openStandingWarnings(db, { random, now, crew })
  await pastUpdates(db, { random, now, by: admin })
  if (isFirst) await writeJournal(db, { admin, now })
}
