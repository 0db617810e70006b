import { expect, it } from 'vitest'
import { endOfDay, isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'

it.each([
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', '2026-09-07T02:59:59.999Z'],
  ['America/Havana', '2026-03-08', '2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z', '2026-11-02T04:59:59.999Z'],
  ['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z', '2026-10-26T00:59:59.999Z'],
  ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z', '2026-03-29T20:59:59.999Z'],
])('begins a day in %s at its first moment, also where midnight is left out or comes twice: %s', (zone, day, from, to) => {
  expect([isoFromLocal(day, zone), endOfDay(day, zone)]).toEqual([from, to])
  expect([localFromIso(from, zone).slice(0, 10), localFromIso(to, zone).slice(0, 10)]).toEqual([day, day])
})
