import { describe, expect, it } from 'vitest'
import { FirstEvent } from '#providers/live/first-event.ts'

const nowMs = Date.UTC(2026, 10, 22, 12)
const eventId = (xid: number, id: number, minutesAgo = 0) => `${xid}-${id}-${nowMs - minutesAgo * 60_000}`
const pageAfter = (...ids: unknown[]) => {
  const first = new FirstEvent()
  for (const id of ids) first.note(id)
  return first
}

describe('the event stream of a page', () => {
  it('begins at the earliest event id of its answers, in the order of transactions', () => {
    expect(pageAfter(eventId(9, 40), eventId(10, 3), eventId(9, 5), eventId(11, 1)).resumeAt(undefined)).toBe(eventId(9, 5))
    expect(pageAfter(eventId(10, 1), eventId(9, 90)).resumeAt(undefined)).toBe(eventId(9, 90))
  })

  it('goes on where this browser has stopped reading', () => {
    expect(pageAfter(eventId(9, 40)).resumeAt(eventId(8, 2, 49))).toBe(eventId(8, 2, 49))
    expect(pageAfter().resumeAt(eventId(8, 2, 300))).toBe(eventId(8, 2, 300))
  })

  it('does without what the server has forgotten since', () => {
    expect(pageAfter(eventId(9, 40)).resumeAt(eventId(8, 2, 51))).toBe(eventId(9, 40))
  })

  it('begins with a full read where no answer has named an event id', () => {
    expect(pageAfter(undefined, null, '', 'abc', '1-2').resumeAt(undefined)).toBeUndefined()
  })
})
