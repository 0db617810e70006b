import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '#server/base/start-error.ts'
import type { Database } from '#server/db/connect.ts'
import { loopTimes } from '#server/db/jobs/job-loop.ts'
import { hasJobRunner } from '#server/db/jobs/lease.ts'
import { isMigrated } from '#server/db/migrate.ts'
import { migrations } from './migrations.ts'

const lookMs = 1_000
/** The lease of a process that was killed has expired by then. */
const usualWaitMs = 20_000
/** Of several processes another one has taken the lease by then. */
const handoverMs = loopTimes.renewMs + 2_000

/**
 * Refuses to migrate a PostgreSQL on which a process of an older release works: that one would go on writing by its own rules. Waits for one
 * that is being stopped, for the next one that may take over from it, and for another of this release that migrates at the same time.
 */
export async function refuseBesideOlder(database: Database, tell: (line: string) => void, waitMs = usualWaitMs): Promise<void> {
  if (database.kind !== 'server') return
  for (let leftMs = waitMs; ; leftMs -= lookMs) {
    const isCurrent = await isMigrated(database, migrations).catch(() => false)
    if (isCurrent || !(await hasJobRunner(database.kysely, handoverMs))) return
    if (leftMs === waitMs) tell('A server of an older release works on this database, or did a moment ago: waiting for its end')
    if (leftMs <= 0 && (await hasJobRunner(database.kysely)))
      throw new StartError(
        'A server of an older release works on this database: two releases at once lose and double what they count. Stop all of its processes, then start this one. Nothing was changed.',
      )
    await sleep(leftMs > 0 ? Math.min(lookMs, leftMs) : lookMs)
  }
}
