import { hourMs } from '#schema/format/durations.ts'

/**
 * Position in the total order of events: transaction id, then event id. Event ids alone are not sufficient, since a lower one
 * may be committed after a higher one.
 */
export type Position = { xid: bigint; id: bigint }

export const beginning: Position = { xid: 0n, id: 0n }

/** Comparator: negative when `a` comes first. */
export function comparePositions(a: Position, b: Position): number {
  if (a.xid !== b.xid) return a.xid < b.xid ? -1 : 1
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1
}

/** Events are kept for an hour; a client disconnected for longer has missed some. */
export const keptMs = hourMs
const marginMs = 120_000

const pattern = /^(\d{1,19})-(\d{1,18})-(\d{10,13})$/

/** The SSE event id: the position and the time of writing in milliseconds. */
export const eventIdOf = ({ xid, id }: Position, atMs: number): string => `${xid}-${id}-${atMs}`

/** The position in a `Last-Event-ID`; undefined when malformed, older than the kept events, or of a time that is yet to come. */
export function positionOf(eventId: string, nowMs: number): Position | undefined {
  const [, xid, id, at] = pattern.exec(eventId) ?? []
  if (!xid || !id || !at || Number(at) < nowMs - keptMs + marginMs || Number(at) > nowMs + marginMs) return undefined
  return { xid: BigInt(xid), id: BigInt(id) }
}
