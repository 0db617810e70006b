import { HttpProblem, problemOfResponse, type Words } from './http-problem.ts'

export type PublicCall = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: Readonly<Record<string, unknown>>,
) => Promise<unknown>

const timeoutMs = 30_000

type PublicCallOptions = {
  words: Words
  language: () => string
  /** Token of this browser, sent with calls that sign in. */
  device?: () => string
  baseUrl?: string
}

/**
 * Calls without a session, over fetch: public pages do not load axios, which would be a third of their weight. Rejects with an
 * HttpProblem.
 */
export function createPublicCall(options: PublicCallOptions): PublicCall {
  const { words, language, device, baseUrl = '/api' } = options
  const failure = (code: 'network' | 'answer.unreadable', word: string) =>
    new HttpProblem({ message: words(word), statusCode: 0, code })
  return async (method, path, body) => {
    const known = device && path.startsWith('auth/') ? { 'x-sign-in-device': device() } : {}
    const answer = await fetch(`${baseUrl}/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'accept-language': language(), ...known },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      cache: 'no-store',
    }).catch(() => {
      throw failure('network', 'errors.network')
    })
    if (!answer.ok) throw await problemOfResponse(answer, words)
    const text = await answer.text()
    try {
      return text === '' ? undefined : JSON.parse(text)
    } catch {
      throw failure('answer.unreadable', 'errors.unreadable')
    }
  }
}
