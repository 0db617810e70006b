import { type RawBuilder, sql } from 'kysely'
import { takeLockOf } from '#server/base/advisory-locks.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { UpdateStatus } from '#server/fleet/firmware/update-state-machine.ts'

/** An update for the state machine. */
export type Update = {
  id: string
  version: number
  controlPcbId: string
  essId: string | null
  firmwareId: string
  fromVersion: string | null
  toVersion: string
  kind: string
  status: UpdateStatus
  progressPct: number | null
  confirmedPackets: number | null
  attempt: number
  maxAttempts: number
  scheduledAt: string | null
  stateSince: string
  progressAt: string | null
  deadlineAt: string | null
  requestedBy: string | null
  finishedAt: string | null
  /** The requesting rollout and its wave. */
  rolloutId: string | null
  wave: number | null
  /** Window in which it may start. */
  window: unknown
  /** Report interval of its board. */
  reportIntervalS: number
}

/** Timeouts scale with the board's report interval. */
const reportInterval = (controlPcbId: RawBuilder<unknown>) =>
  sql<number>`coalesce((select "s"."reportIntervalS" from "boardState" "s" where "s"."controlPcbId" = ${controlPcbId}), 60)`

/** Columns that make up `Update`. */
export const updateColumns = sql`${sql.raw(
  [
    'id',
    'version',
    'controlPcbId',
    'essId',
    'firmwareId',
    'fromVersion',
    'toVersion',
    'kind',
    'status',
    'progressPct',
    'confirmedPackets',
    'attempt',
    'maxAttempts',
    'scheduledAt',
    'stateSince',
    'progressAt',
    'deadlineAt',
    'requestedBy',
    'finishedAt',
    'rolloutId',
    'wave',
    'window',
  ]
    .map((name) => `"${name}"`)
    .join(', '),
)}, ${reportInterval(sql`"firmware_update"."controlPcbId"`)} as "reportIntervalS"`

/** Locks the updates that match a condition until the end of the transaction; skip locked. */
export const lockUpdates = (db: Queryable, where: RawBuilder<unknown>, limit = 50): Promise<Update[]> =>
  rowsOf(
    db,
    sql<Update>`select ${updateColumns} from "firmware_update" where ${where} order by "id" limit ${limit} for update skip locked`,
  )

/** Status of a firmware, locked against changes and deletion until the end of the transaction. */
export const holdFirmware = (db: Queryable, id: string): Promise<{ status: string } | undefined> =>
  rowOf(db, sql<{ status: string }>`select "status" from "firmware" where "id" = ${id} for key share`)

/**
 * Serialises requests of a board and locks the firmware until the end of the transaction: two concurrent requests would both
 * find none open, and a concurrent removal of the firmware would miss the request.
 */
export async function lockRequests(
  db: Queryable,
  { controlPcbId, firmwareId }: Pick<Update, 'controlPcbId' | 'firmwareId'>,
): Promise<void> {
  await takeLockOf(db, 'thing', `update:${controlPcbId}`)
  await holdFirmware(db, firmwareId)
}

/** Open updates of boards, locked: each board has one at most. */
export const openUpdatesOf = (db: Queryable, boards: readonly string[]): Promise<Update[]> =>
  rowsOf(
    db,
    sql<Update>`${prepared} select ${updateColumns} from "firmware_update"
      where "controlPcbId" = any(${sql.val(boards)}::text[]) and "finishedAt" is null order by "id" for update`,
  )

/** An update of a board by id, locked, open or finished. */
export const updateOfBoard = (db: Queryable, controlPcbId: string, id: string): Promise<Update | undefined> =>
  rowOf(
    db,
    sql<Update>`select ${updateColumns} from "firmware_update" where "id" = ${id} and "controlPcbId" = ${controlPcbId} for update`,
  )
