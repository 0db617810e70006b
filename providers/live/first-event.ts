import { minuteMs } from '#schema/format/durations.ts'

/** Place of an event in the order of all, and when the server named it. */
type Place = { xid: bigint; id: bigint; atMs: number }

const pattern = /^(\d+)-(\d+)-(\d+)$/
/** The server keeps events for an hour. */
const keptMs = 50 * minuteMs

function placeOf(eventId: string | undefined): Place | undefined {
  const [, xid, id, at] = pattern.exec(eventId ?? '') ?? []
  return xid && id && at ? { xid: BigInt(xid), id: BigInt(id), atMs: Number(at) } : undefined
}

const isBefore = (a: Place, b: Place) => a.xid < b.xid || (a.xid === b.xid && a.id < b.id)

/** Event ids that come with the answers of this page: no change since the first of them may be missed. */
export class FirstEvent {
  #first: { eventId: string; place: Place } | undefined

  /** Answers come in any order, and processes of the server may differ a little. */
  note(eventId: unknown): void {
    if (typeof eventId !== 'string') return
    const place = placeOf(eventId)
    if (place && (!this.#first || isBefore(place, this.#first.place))) this.#first = { eventId, place }
  }

  /** Where the stream goes on: where this browser stopped reading, unless that is so long ago that the server has forgotten it. */
  resumeAt(stored: string | undefined): string | undefined {
    const last = placeOf(stored)
    if (!last || !this.#first) return stored ?? this.#first?.eventId
    return this.#first.place.atMs - last.atMs > keptMs ? this.#first.eventId : stored
  }
}
