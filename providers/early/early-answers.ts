import type { SessionStore } from '#providers/session/session-store.ts'
import { isObject } from '#schema/is-object.ts'

/** A response with its text, which is read at once: an unread body would block its connection. */
export type EarlyAnswer = { response: Response; text: string }
/** Requests started by the document before the scripts ran, by URL, with their access token. */
export type EarlyCalls = { token: string; startedAt: number; answers: Record<string, Promise<EarlyAnswer>> }

declare global {
  interface Window {
    earlyCalls?: EarlyCalls
  }
}

/** A tab reopened later must not use prefetched data. */
const freshMs = 10_000

const calls = () => (typeof window === 'undefined' ? undefined : window.earlyCalls)

/** The prefetched response for this URL and token. */
function answerTo(url: string, token: string | undefined): Promise<EarlyAnswer> | undefined {
  const early = calls()
  return !early || early.token !== token || Date.now() - early.startedAt > freshMs ? undefined : early.answers[url]
}

/** Returns a prefetched response once. */
export function takeAnswer(url: string, token: string | undefined): Promise<EarlyAnswer> | undefined {
  const answer = answerTo(url, token)
  delete calls()?.answers[url]
  return answer
}

/** JSON of a successful response. */
export type FirstAnswer = { data: object; headers: Headers }
/** Looks up a prefetched response by its path below the API. */
export type FirstAnswers = (path: string) => Promise<FirstAnswer | undefined>

function read({ response, text }: EarlyAnswer): FirstAnswer | undefined {
  try {
    const data: unknown = JSON.parse(text)
    return response.ok && (isObject(data) || Array.isArray(data)) ? { data, headers: response.headers } : undefined
  } catch {
    return undefined
  }
}

/**
 * Prefetched responses of this session, usable without the HTTP client. Failures are left to the client, which reports them or
 * retries.
 */
export function firstAnswers(
  session: Pick<SessionStore, 'getSnapshot'>,
  onEventId: (eventId: string | null) => void = () => undefined,
): FirstAnswers {
  return async (path) => {
    const url = `/api/${path}`
    const { session: current, conflict, expired } = session.getSnapshot()
    const answer = conflict || expired ? undefined : answerTo(url, current?.accessToken)
    const first = await answer?.then(read, () => undefined)
    if (!first || !takeAnswer(url, current?.accessToken)) return undefined
    onEventId(first.headers.get('x-event-id'))
    return first
  }
}
