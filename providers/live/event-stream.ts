import { pageLanguage, refusalOf } from '#providers/session/refusal.ts'
import type { SessionStore } from '#providers/session/session-store.ts'
import { type SseMessage, SseParser } from './sse-parser.ts'

export type EventStreamOptions = {
  session: Pick<SessionStore, 'getSnapshot' | 'liveToken' | 'logout' | 'subscribe' | 'sync'>
  /** Position to resume from. */
  lastEventId: () => string | undefined
  /** All messages in one chunk of the stream. */
  onMessages: (messages: readonly SseMessage[]) => void
  /** Called with each sign of life of the server, and with each connection that is lost or not had. */
  reach?: { heard: () => void; lost: () => void }
  url?: string
  times?: Partial<StreamTimes>
}

/** Limits in milliseconds; tests use shorter ones. The server sends a heartbeat every 20 s. */
type StreamTimes = { firstPauseMs: number; longestPauseMs: number; silenceMs: number }
const streamTimes: StreamTimes = { firstPauseMs: 1_000, longestPauseMs: 30_000, silenceMs: 50_000 }

/** Changes told one by one in a second. With more, a page rereads what it shows every few seconds: see `LiveCache`. */
const mostPerS = 50

const jitter = () => 0.5 + Math.random()

/** Resolves after `ms`, when the network returns, or when the signal aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      removeEventListener('online', finish)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    addEventListener('online', finish)
    signal.addEventListener('abort', finish)
    if (signal.aborted) finish()
  })
}

/** End of a connection: `renewed` = a new token, `refused` = by the server, `lost` = by the network or with a 5xx. */
type End = { why: 'closed' | 'renewed' | 'refused' | 'lost'; retryAfterMs?: number }

/**
 * Reads the event stream until the signal aborts or the session ends; reconnects with back-off after errors, and with each new
 * token.
 */
export async function readEventStream(options: EventStreamOptions, signal: AbortSignal): Promise<void> {
  const times = { ...streamTimes, ...options.times }
  let failures = 0
  while (!signal.aborted) {
    const token = await options.session.liveToken(signal).catch(() => undefined)
    if (!token) return
    const { why, retryAfterMs = 0 } = await connect({ ...options, times }, token, signal)
    if (why === 'renewed') continue
    if (why === 'lost' && !signal.aborted) options.reach?.lost()
    failures = why === 'closed' ? 0 : failures + 1
    const backOffMs = Math.min(times.longestPauseMs, times.firstPauseMs * 2 ** Math.max(0, failures - 1))
    // Added, so that pages that are asked for the same wait do not return at one moment.
    await pause(retryAfterMs + backOffMs * jitter(), signal)
  }
}

async function connect(
  {
    session,
    lastEventId,
    onMessages,
    reach,
    url = `/api/events?mostPerS=${mostPerS}`,
    times,
  }: EventStreamOptions & { times: StreamTimes },
  token: string,
  signal: AbortSignal,
): Promise<End> {
  const connection = new AbortController()
  const abort = () => connection.abort()
  let isRenewed = false
  const unsubscribe = session.subscribe(() => {
    const { session: current, expired } = session.getSnapshot()
    isRenewed = expired || current?.accessToken !== token
    if (isRenewed) abort()
  })
  let watchdog = setTimeout(abort, times.silenceMs)
  signal.addEventListener('abort', abort)
  try {
    const known = lastEventId()
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...pageLanguage() }
    const answer = await fetch(url, {
      headers: known ? { ...headers, 'last-event-id': known } : headers,
      signal: connection.signal,
      cache: 'no-store',
    })
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
    if (!answer.ok || !answer.body || !isStream) return await refusal(answer, session, token)
    reach?.heard()
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    const parser = new SseParser()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      clearTimeout(watchdog)
      watchdog = setTimeout(abort, times.silenceMs)
      reach?.heard()
      const messages = parser.push(piece.value)
      if (messages.length > 0) onMessages(messages)
    }
    return { why: 'closed' }
  } catch {
    return { why: isRenewed ? 'renewed' : 'lost' }
  } finally {
    clearTimeout(watchdog)
    signal.removeEventListener('abort', abort)
    unsubscribe()
    abort()
  }
}

/**
 * No stream: an error, or the page that a server has for every address. An expired token ends the session here as any other 401
 * does, unless another tab has a new one.
 */
async function refusal(answer: Response, session: EventStreamOptions['session'], token: string): Promise<End> {
  if (answer.status === 401) {
    const reason = await refusalOf(answer)
    session.sync()
    session.logout(token, reason)
    return { why: 'renewed' }
  }
  const seconds = Number(answer.headers.get('retry-after'))
  // A proxy answers for a server that it can not reach.
  return { why: answer.status >= 500 ? 'lost' : 'refused', retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0 }
}
