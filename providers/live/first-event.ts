import { minuteMs } from '#schema/format/durations.ts'

/** Total order of events, and the server's time of the event. */
type Place = { xid: bigint; id: bigint; atMs: number }

const pattern = /^(\d+)-(\d+)-(\d+)$/
/** The server keeps events for an hour; the difference is a safety margin. */
const keptMs = 50 * minuteMs

function placeOf(eventId: string | undefined): Place | undefined {
  const [, xid, id, at] = pattern.exec(eventId ?? '') ?? []
  return xid && id && at ? { xid: BigInt(xid), id: BigInt(id), atMs: Number(at) } : undefined
}

const isBefore = (a: Place, b: Place) => a.xid < b.xid || (a.xid === b.xid && a.id < b.id)

/** Tracks the first event id of this page's responses: every later change must be received. */
export class FirstEvent {
  #first: { eventId: string; place: Place } | undefined

  /** Responses arrive in any order, and server processes may differ slightly: the smallest id counts. */
  note(eventId: unknown): void {
    if (typeof eventId !== 'string') return
    const place = placeOf(eventId)
    if (place && (!this.#first || isBefore(place, this.#first.place))) this.#first = { eventId, place }
  }

  /** Where to resume the stream: at this browser's last position, unless the server has dropped events since. */
  resumeAt(stored: string | undefined): string | undefined {
    const last = placeOf(stored)
    if (!last || !this.#first) return stored ?? this.#first?.eventId
    return this.#first.place.atMs - last.atMs > keptMs ? this.#first.eventId : stored
  }
}
