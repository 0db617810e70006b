import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type PendingConfiguration, pendingConfigurationSql } from '#server/fleet/configuration/waiting-configuration.ts'
import { inWindow, type OpenUpdate, openUpdates } from '#server/fleet/firmware/updates/offered-updates.ts'

type OfferedToBoard = {
  id: string
  version: string
  sizeB: number
  sha256: string
  crc32: string | null
  state: string
  notBefore: number | null
  deadline: number | null
}

/** Desired state of a board: report interval, pending configuration and update. */
export type DeviceState = {
  nextReportS: number
  configuration: { version: number; desired: Record<string, unknown> } | null
  update: OfferedToBoard | null
}

const msOf = (time: string | null) => (time === null ? null : Date.parse(time))

type Open = { open: OpenUpdate[] | null }

export type News = { configuration?: number; update?: string }

/**
 * True when the state has something new for the board. A refused configuration is not new, nor is an update awaiting
 * confirmation.
 */
const newsOf = ({ configuration, update }: DeviceState, isRefused: boolean): News => ({
  ...(configuration && !isRefused ? { configuration: configuration.version } : {}),
  ...(update && update.state !== 'CONFIRMING' ? { update: update.id } : {}),
})

export type BoardState = { state: DeviceState; news: News }

/** Answer for a board that was removed meanwhile. */
export const nothingNew: BoardState = { state: { nextReportS: 60, configuration: null, update: null }, news: {} }

function stateOf(
  { reportIntervalS, configuration, isRefused, open: updates }: PendingConfiguration & Open,
  now: Date,
): BoardState {
  const [offered] = inWindow(updates ?? [], now)
  const update = offered && {
    id: offered.id,
    version: offered.toVersion,
    sizeB: offered.sizeBytes,
    sha256: offered.sha256,
    crc32: offered.crc32,
    state: offered.status,
    notBefore: msOf(offered.scheduledAt),
    deadline: msOf(offered.deadlineAt),
  }
  const state = { nextReportS: reportIntervalS, configuration, update: update ?? null }
  return { state, news: newsOf(state, isRefused) }
}

/** States of boards in one statement: every request with frames needs them. */
export async function deviceStates(
  db: Queryable,
  boards: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, BoardState>> {
  const open = openUpdates(now, sql`"u"."controlPcbId" = "t"."id"`)
  const pending = await rowsOf(
    db,
    pendingConfigurationSql<Open>(boards, sql`(select jsonb_agg(to_jsonb("o")) from (${open}) "o") as "open"`),
  )
  return new Map(pending.map((row) => [row.controlPcbId, stateOf(row, now)]))
}

export const deviceState = async (db: Queryable, controlPcbId: string, now: Date): Promise<BoardState> =>
  (await deviceStates(db, [controlPcbId], now)).get(controlPcbId) ?? nothingNew

/** Weak ETag, since the time in the answer changes while the rest is equal. */
export const tagOf = (state: DeviceState): string =>
  `W/"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 22)}"`
