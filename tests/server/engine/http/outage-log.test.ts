import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { OutageLog } from '#server/engine/http/outage-log.ts'
import { logSerializers } from '#server/engine/http/request-log.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('an outage of the database is logged at once, and then once a second with the number of refusals', () => {
  const warn = vi.fn()
  const log = new OutageLog({ warn })
  const refuse = (times: number) => {
    for (let n = 0; n < times; n += 1) log.refused(new Error('connect ECONNREFUSED'))
  }
  const told = () => warn.mock.calls.map(([{ refused }]) => refused)
  refuse(40)
  expect(told()).toEqual([1])
  vi.advanceTimersByTime(1_000)
  expect(told()).toEqual([1, 39])
  refuse(5)
  vi.advanceTimersByTime(1_000)
  expect(told()).toEqual([1, 39, 5])
  vi.advanceTimersByTime(5_000)
  refuse(1)
  expect(told()).toEqual([1, 39, 5, 1])
  expect(warn.mock.calls[0]).toEqual([
    { refused: 1, reason: 'connect ECONNREFUSED' },
    'requests refused: the database or the stream of frames is away',
  ])
})

it('an error of a database that is away is logged without a stack, and any other with one', () => {
  const away = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
  expect(logSerializers.err(away)).toEqual({ type: 'Error', message: away.message, stack: '', code: 'ECONNREFUSED' })
  expect(logSerializers.err(new Error('a fault')).stack).toContain('outage-log.test.ts')
})
