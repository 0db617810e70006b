// @vitest-environment happy-dom
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HttpProblem } from '#providers/http-problem.ts'
import { createQueryClient } from '#providers/query-client.ts'
import { retryFailed } from '#providers/retry-failed.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const lost = (statusCode = 0) => new HttpProblem({ message: 'away', statusCode, code: statusCode ? 'unknown' : 'network' })
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

/** A screen that shows one answer of a server that is away; `readyFails`: the status that the question for it gets. */
function screenOf(statusCode = 0) {
  const server = { isBack: false, readyFails: 0, asked: 0 }
  const load = vi.fn(async () => (server.isBack ? 'rows' : Promise.reject(lost(statusCode))))
  const ready = async () => {
    server.asked += 1
    if (!server.isBack) throw lost(server.readyFails)
  }
  const client = createQueryClient()
  client.mount()
  const { stop, now } = retryFailed({ client, ready })
  const observer = new QueryObserver(client, { queryKey: ['fleet'], queryFn: load })
  const leave = observer.subscribe(() => undefined)
  return { server, load, observer, leave, stop, now }
}

it('what could not be loaded is loaded once the server is back, and the message stands still until then', async () => {
  const { server, load, observer, stop } = screenOf()
  await pass(4_000)
  expect(load).toHaveBeenCalledTimes(3)
  await pass(60_000)
  expect([load.mock.calls.length, observer.getCurrentResult().isError]).toEqual([3, true])
  server.isBack = true
  await pass(60_000)
  expect(observer.getCurrentResult().data).toBe('rows')
  const { asked } = server
  await pass(600_000)
  expect(server.asked).toBe(asked)
  stop()
})

it('what could not be loaded is loaded at once when something else has found the server', async () => {
  const { server, load, observer, stop, now } = screenOf()
  await pass(4_000)
  server.isBack = true
  now()
  await pass(10)
  expect([load.mock.calls.length, observer.getCurrentResult().data]).toEqual([4, 'rows'])
  now()
  await pass(10)
  expect(server.asked).toBe(1)
  stop()
})

it('a server that is away is asked for less and less often', async () => {
  const { server, stop } = screenOf()
  await pass(4_000 + 5_000 + 10_000 + 20_000 + 40_000)
  expect(server.asked).toBe(4)
  await pass(600_000)
  expect(server.asked).toBe(14)
  stop()
})

it('a page that nobody looks at asks for nothing', async () => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  const { server, stop } = screenOf()
  await pass(600_000)
  expect(server.asked).toBe(0)
  stop()
})

it.each([400, 403, 404, 500])('a refusal and a fault of the server are final: %i', async (statusCode) => {
  const { server, load, stop } = screenOf(statusCode)
  await pass(10_000)
  const { length } = load.mock.calls
  await pass(600_000)
  expect([server.asked, load.mock.calls.length]).toEqual([0, length])
  stop()
})

it('what is no longer on the screen is not loaded again', async () => {
  const { server, load, leave, stop } = screenOf()
  await pass(4_000)
  leave()
  server.isBack = true
  await pass(600_000)
  expect(load).toHaveBeenCalledTimes(3)
  stop()
})

it('a page that had failed before this part came is loaded again, too', async () => {
  const client = createQueryClient()
  const load = vi.fn(async () => (load.mock.calls.length > 3 ? 'rows' : Promise.reject(lost())))
  new QueryObserver(client, { queryKey: ['fleet'], queryFn: load }).subscribe(() => undefined)
  await pass(60_000)
  const { stop } = retryFailed({ client, ready: async () => undefined })
  await pass(5_000)
  expect(client.getQueryData(['fleet'])).toBe('rows')
  stop()
})

it('a server that does not know the question is back', async () => {
  const { server, load, stop } = screenOf()
  server.readyFails = 404
  await pass(4_000 + 5_000)
  expect(load.mock.calls.length).toBeGreaterThan(3)
  stop()
})
