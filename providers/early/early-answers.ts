import type { SessionStore } from '#providers/session/session-store.ts'
import { isObject } from '#schema/is-object.ts'

/** An answer with its text, which is read at once: an answer that nobody reads would keep its connection. */
export type EarlyAnswer = { response: Response; text: string }
/** Calls that the document started before the scripts ran, by URL, with the token that they carry. */
export type EarlyCalls = { token: string; startedAt: number; answers: Record<string, Promise<EarlyAnswer>> }

declare global {
  interface Window {
    earlyCalls?: EarlyCalls
  }
}

/** A person who comes back to a tab in the background wants data of now. */
const freshMs = 10_000

const calls = () => (typeof window === 'undefined' ? undefined : window.earlyCalls)

/** The answer to exactly this call with exactly this token. */
function answerTo(url: string, token: string | undefined): Promise<EarlyAnswer> | undefined {
  const early = calls()
  return !early || early.token !== token || Date.now() - early.startedAt > freshMs ? undefined : early.answers[url]
}

/** Hands an answer out, once. */
export function takeAnswer(url: string, token: string | undefined): Promise<EarlyAnswer> | undefined {
  const answer = answerTo(url, token)
  delete calls()?.answers[url]
  return answer
}

/** Data of a good answer, as JSON. */
export type FirstAnswer = { data: object; headers: Headers }
/** Asks for a call that the document has made, by its path below the API. */
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
 * The document's answers for this session, which need no HTTP client. What went wrong is left to the client, which tells it or
 * calls again.
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
