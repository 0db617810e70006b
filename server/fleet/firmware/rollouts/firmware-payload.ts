import { sql } from 'kysely'
import type { RolloutWait } from '#resources/shared/updates.ts'
import { dayMs } from '#schema/format/durations.ts'
import type { Label } from '#schema/words.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { hasSoundFile } from '#server/fleet/firmware/firmware-file.ts'
import { type Candidate, candidateOf, obstacleOf, updateKindOf } from '#server/fleet/firmware/updates/pre-checks.ts'
import { holdFirmware, lockRequests } from '#server/fleet/firmware/updates/update-rows.ts'
import { queueUpdate } from '#server/fleet/firmware/updates/update-store.ts'
import type { Rollout, Target } from '#server/fleet/firmware/waves/rollout-store.ts'
import { compareVersions } from '#server/fleet/shared/compare-versions.ts'
import type { Facts, Payload, Verdict } from './payload.ts'

type Firmware = Pick<
  Candidate,
  'firmwareId' | 'firmwareVersion' | 'status' | 'imageProduct' | 'hardwareRevisions' | 'minFromVersion' | 'hasFile'
>

const firmwareOf = (db: Queryable, id: unknown): Promise<Firmware | undefined> =>
  rowOf(
    db,
    sql<Firmware>`select "f"."id" as "firmwareId", "f"."firmwareVersion", "f"."status", "f"."product" as "imageProduct",
        "f"."hardwareRevisions", "f"."minFromVersion", ${hasSoundFile} as "hasFile" from "firmware" "f" where "f"."id" = ${id ?? null}`,
  )

/** A temporary state excludes no board: it waits for its turn. */
const unobstructed = { socPct: null, criticals: [], openUpdateId: null, window: undefined, zone: 'UTC' }

/** A board selected by conditions gets no equal or older version; an explicitly named one may be downgraded. */
function reasonFor(facts: Facts, firmware: Firmware, isNamed: boolean): RolloutWait | undefined {
  const obstacle = obstacleOf({ controlPcbId: '', code: '', essId: null, ...unobstructed, ...facts, ...firmware })
  if (obstacle || isNamed) return obstacle
  if (facts.currentVersion === null) return 'VERSION_UNKNOWN'
  return compareVersions(facts.currentVersion, firmware.firmwareVersion) < 0 ? undefined : 'NOT_OLDER'
}

/** Temporary obstacles: the board waits for them to pass. */
const passing: ReadonlySet<RolloutWait> = new Set(['SOC', 'NO_CRITICAL', 'NO_OPEN_UPDATE'])
const longestWaitMs = 7 * dayMs

type Asking = { rollout: Rollout; firmwareId: string }

async function ask(db: Queryable, { rollout, firmwareId }: Asking, target: Target, now: Date): Promise<Verdict> {
  const { controlPcbId, wave } = target
  await lockRequests(db, { controlPcbId, firmwareId })
  const candidate = await candidateOf(db, controlPcbId, firmwareId)
  if (!candidate) return { state: 'SKIPPED', reason: 'GONE' }
  const reason = obstacleOf(candidate)
  if (reason) {
    const waited = now.getTime() - Date.parse(rollout.waveSince ?? now.toISOString())
    return { state: passing.has(reason) && waited <= longestWaitMs ? 'WAITING' : 'SKIPPED', reason }
  }
  // A wave waits for the update window of each of its boards.
  const { essId, currentVersion, firmwareVersion, window } = candidate
  const versions = { fromVersion: currentVersion, toVersion: firmwareVersion, kind: updateKindOf(candidate) }
  const asked = {
    controlPcbId,
    essId,
    firmwareId,
    ...versions,
    attempt: 1,
    maxAttempts: 3,
    rolloutId: rollout.id,
    wave,
    window,
  }
  await queueUpdate(db, { ...asked, retryOfId: null, requestedBy: rollout.startedBy, source: 'SERVER' }, now)
  return { state: 'REQUESTED' }
}

const installable: ReadonlySet<string | undefined> = new Set(['RELEASED', 'TESTING'])
const notInstallable: Label = ['The firmware may not be installed any more', 'Прошивку больше нельзя устанавливать']

/** A rollout of firmware: every board gets an update, whose outcome is that of the board. */
export const firmwarePayload: Payload = {
  brought: async ({ db }, { firmwareId }) => {
    const firmware = await firmwareOf(db, firmwareId)
    return (
      firmware && {
        lot: firmware.firmwareId,
        join: sql``,
        obstacle: sql`null::text`,
        reasonFor: (facts, isNamed) => reasonFor(facts, firmware, isNamed),
      }
    )
  },
  begin: async () => {},
  hold: async (db, rollout) => {
    const { firmwareId } = rollout
    const firmware = firmwareId === null ? undefined : await holdFirmware(db, firmwareId)
    if (firmwareId === null || !installable.has(firmware?.status)) return { objection: notInstallable }
    return { ask: (target, now) => ask(db, { rollout, firmwareId }, target, now) }
  },
}
