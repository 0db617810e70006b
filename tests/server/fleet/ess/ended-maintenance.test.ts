import { expect, it } from 'vitest'
import type { Caller } from '#server/base/caller.ts'
import { essRules } from '#server/fleet/ess/ess.ts'

it('a maintenance ends by the clock of the server', () => {
  const record = { id: 'ess', maintenance: { until: '2020-01-01T12:00:00.000Z', reason: 'swap' } }
  const seenAt = (time: string) => essRules.present?.(record, { userId: 'one', role: 'admin' } as Caller, new Date(time))
  expect(seenAt('2020-01-01T11:59:59.000Z')).toEqual(record)
  expect(seenAt('2020-01-01T12:00:00.000Z')).toEqual({ ...record, maintenance: null })
})
