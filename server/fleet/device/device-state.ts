import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { type Told, toldSql } from '#server/fleet/configuration/waiting-configuration.ts'
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

/** The state of a board: how often it is expected, what it is to apply, and what it is to install. */
export type DeviceState = {
  nextReportS: number
  configuration: { version: number; desired: Record<string, unknown> } | null
  update: OfferedToBoard | null
}

const msOf = (time: string | null) => (time === null ? null : Date.parse(time))

type Open = { open: OpenUpdate[] | null }

const nothing: Told & Open = { reportIntervalS: 60, configuration: null, open: null }

/** One statement: every exchange of frames asks for it. */
export async function deviceState(db: Queryable, controlPcbId: string, now: Date): Promise<DeviceState> {
  const open = openUpdates(now, sql`"u"."controlPcbId" = ${controlPcbId}`)
  const found = await rowOf(
    db,
    toldSql<Open>(controlPcbId, sql`(select jsonb_agg(to_jsonb("o")) from (${open}) "o") as "open"`),
  )
  const { reportIntervalS, configuration, open: updates }: Told & Open = found ?? nothing
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
  return { nextReportS: reportIntervalS, configuration, update: update ?? null }
}

/** Weak, since the time in the answer goes on while the rest is the same. */
export const tagOf = (state: DeviceState): string =>
  `W/"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 22)}"`

export type News = { configuration?: number; update?: string }

/** News: a reason to look at the state. Once an update is to be confirmed there is nothing more for the board to do. */
export const newsOf = ({ configuration, update }: DeviceState): News => ({
  ...(configuration ? { configuration: configuration.version } : {}),
  ...(update && update.state !== 'CONFIRMING' ? { update: update.id } : {}),
})
