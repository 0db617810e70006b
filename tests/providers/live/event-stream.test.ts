import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readEventStream } from '#providers/live/event-stream.ts'
import { fakeBrowser, tokenObject } from '#tests/providers/browser.ts'
import { listen } from '#tests/providers/http-server.ts'

type Connection = { token: string; lastEventId: string | undefined; answer: ServerResponse }

const times = { firstPauseMs: 20, longestPauseMs: 40, silenceMs: 300 }
let stop: (() => void)[] = []

// A page hears of the network's return; Node does not.
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('removeEventListener', () => undefined)

afterEach(() => {
  for (const each of stop) each()
  stop = []
})

/** A server that keeps its streams, and a session that reads them. */
type Refuse = (request: IncomingMessage) => { status: number; headers?: Record<string, string> } | undefined

async function open(refuse?: Refuse, own: Partial<typeof times> = {}) {
  const connections: Connection[] = []
  const server = await listen((request, answer) => {
    const refusal = refuse?.(request)
    connections.push({
      token: request.headers.authorization ?? '',
      lastEventId: request.headers['last-event-id']?.toString(),
      answer,
    })
    answer.writeHead(refusal?.status ?? 200, { 'content-type': 'text/event-stream', ...refusal?.headers })
    if (refusal) answer.end()
    else answer.write(': connected\n\n')
  })
  const { session, close } = fakeBrowser().openTab()
  session.login(tokenObject('first', 600))
  const ending = new AbortController()
  const read: string[] = []
  let lastEventId: string | undefined
  const ended = readEventStream(
    {
      session,
      url: server.url,
      times: { ...times, ...own },
      lastEventId: () => lastEventId,
      onMessages: (messages) => {
        read.push(...messages.map(({ data }) => data))
        lastEventId = messages.at(-1)?.id
      },
    },
    ending.signal,
  )
  stop.push(server.close, close, () => ending.abort())
  const connected = (count: number) =>
    vi.waitFor(() => expect(connections).toHaveLength(count), { timeout: 3_000, interval: 5 })
  return { session, ending, ended, read, connections, connected }
}

const say = ({ answer }: Connection, id: string) => answer.write(`id: ${id}\ndata: ${id}\n\n`)

describe('the event stream', () => {
  it('is read with the token in a header and goes on after a break where it was', async () => {
    const { connections, connected, read } = await open()
    await connected(1)
    expect(connections[0]).toMatchObject({ token: 'Bearer first', lastEventId: undefined })
    say(connections[0] as Connection, '1')
    await vi.waitFor(() => expect(read).toEqual(['1']))
    connections[0]?.answer.destroy()
    await connected(2)
    say(connections[1] as Connection, '2')
    await vi.waitFor(() => expect(read).toEqual(['1', '2']))
    expect(connections[1]?.lastEventId).toBe('1')
  })

  it('backs off from an answer that is no stream, as from an error', async () => {
    const page = { status: 200, headers: { 'content-type': 'text/html' } }
    const { connections, connected } = await open(() => page, { longestPauseMs: 5_000 })
    await connected(3)
    await new Promise((resolve) => setTimeout(resolve, 300))
    // At 20, 40, 80 and 160 ms: without back-off there would be fifteen by now.
    expect(connections.length).toBeLessThan(8)
  })

  it('is closed with its token and opened with the next one at once', async () => {
    const { connections, connected, session } = await open()
    await connected(1)
    const closed = new Promise<void>((resolve) => connections[0]?.answer.on('close', () => resolve()))
    session.login(tokenObject('second', 600))
    await closed
    await connected(2)
    expect(connections[1]?.token).toBe('Bearer second')
  })

  it('is given up when the session ends', async () => {
    const { connections, connected, session, ended } = await open()
    await connected(1)
    session.logout()
    await ended
    expect(connections).toHaveLength(1)
  })

  it('that is refused because the token is dead ends the session', async () => {
    const { ended, session } = await open(() => ({ status: 401 }))
    await ended
    expect(session.getSnapshot().session).toBeNull()
    expect(session.endReason).toBe('')
  })

  it('waits as long as the server asks for', async () => {
    let refusals = 1
    const { connected, connections } = await open(() => {
      refusals -= 1
      return refusals >= 0 ? { status: 429, headers: { 'retry-after': '1' } } : undefined
    })
    const began = performance.now()
    await connected(1)
    await connected(2)
    expect(performance.now() - began).toBeGreaterThan(900)
    expect(connections).toHaveLength(2)
  })

  it('of many pages come back one after the other when the server asks all of them for the same wait', async () => {
    const comeBack = async () => {
      let isRefused = true
      const { connected } = await open(
        () => {
          const refusal = isRefused ? { status: 503, headers: { 'retry-after': '1' } } : undefined
          isRefused = false
          return refusal
        },
        { firstPauseMs: 400, longestPauseMs: 400, silenceMs: 10_000 },
      )
      await connected(2)
    }
    // The waits themselves: a busy machine spreads the returns by itself.
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await Promise.all(Array.from({ length: 12 }, comeBack))
    const waitsMs = timers.mock.calls.flatMap(([, ms = 0]) => (ms >= 1_000 && ms <= 1_600 ? [ms] : []))
    timers.mockRestore()
    expect(waitsMs).toHaveLength(12)
    expect(Math.max(...waitsMs) - Math.min(...waitsMs)).toBeGreaterThan(100)
  })

  it('that says nothing any more, not even a ping, is opened again', async () => {
    const { connected } = await open()
    await connected(1)
    await connected(2)
  })

  it('stops when it is told to, also while it waits', async () => {
    const { ending, ended } = await open(() => ({ status: 503, headers: { 'retry-after': '60' } }))
    setTimeout(() => ending.abort(), 100)
    await ended
  })
})
