import { createHash } from 'node:crypto'
import type { Queryable } from '#server/db/query.ts'
import { toldConfiguration } from '#server/fleet/configuration/waiting-configuration.ts'
import { offeredUpdates } from '#server/fleet/firmware/updates/offered-updates.ts'

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

export async function deviceState(db: Queryable, controlPcbId: string, now: Date): Promise<DeviceState> {
  const { reportIntervalS, configuration } = await toldConfiguration(db, controlPcbId)
  const [offered] = await offeredUpdates(db, now, controlPcbId)
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
