import { type RawBuilder, sql } from 'kysely'
import { readWindow } from '#resources/fleet/week-window.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { mayBegin, zoneOfBoard } from './update-window.ts'

/** An update that a board receives on contact. */
export type OfferedUpdate = {
  controlPcbId: string
  id: string
  firmwareId: string
  toVersion: string
  status: string
  sizeBytes: number
  sha256: string
  crc32: string | null
  scheduledAt: string | null
  deadlineAt: string | null
}

export type OpenUpdate = OfferedUpdate & { window: unknown; zone: string | null }

/** Open updates of a board, regardless of their window. */
export const openUpdates = (now: Date, ofBoard: RawBuilder<unknown>) =>
  sql<OpenUpdate>`select "u"."controlPcbId", "u"."id", "u"."firmwareId", "u"."toVersion", "u"."status", "u"."scheduledAt", "u"."deadlineAt",
      ("f"."file"->>'sizeBytes')::int4 as "sizeBytes", "f"."file"->>'sha256' as "sha256", "f"."file"->>'crc32' as "crc32", "u"."window",
      case when "u"."window" is not null then ${zoneOfBoard(sql`"u"."controlPcbId"`, sql`"u"."essId"`)} end as "zone"
    from "firmware_update" "u" join "firmware" "f" on "f"."id" = "u"."firmwareId"
    left join "rollout" "r" on "r"."id" = "u"."rolloutId"
    where ${ofBoard} and "u"."finishedAt" is null and "u"."status" <> 'SCHEDULED' and not ("u"."status" = 'QUEUED'
      and (coalesce("u"."scheduledAt" > ${now}, false) or "f"."status" = 'REVOKED' or coalesce("r"."status" in ('PAUSED', 'STOPPED'), false)))`

/** Open updates that may start now, or have started. */
export const inWindow = (open: readonly OpenUpdate[], now: Date): OfferedUpdate[] =>
  open
    .filter(({ status, window, zone }) => status !== 'QUEUED' || mayBegin(readWindow(window), now, zone ?? 'UTC'))
    .map(({ window: _window, zone: _zone, ...offered }) => offered)

/**
 * Updates that boards should run now. A pending one waits for its time, its window and a paused rollout, and ends when the
 * rollout stops or the firmware is revoked; a started one continues.
 */
export async function offeredUpdates(db: Queryable, now: Date, controlPcbId?: string): Promise<OfferedUpdate[]> {
  const ofBoard = controlPcbId === undefined ? sql`true` : sql`"u"."controlPcbId" = ${controlPcbId}`
  return inWindow(await rowsOf(db, openUpdates(now, ofBoard)), now)
}
