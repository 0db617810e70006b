import { HttpProblem, problemOfResponse, type Words } from './http-problem.ts'

export type PublicCall = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: Readonly<Record<string, unknown>>,
) => Promise<unknown>

const timeoutMs = 30_000

/**
 * Calls without a session, over fetch: public pages do not load axios, which would be a third of their weight. Rejects with an
 * HttpProblem.
 */
export function createPublicCall(options: { words: Words; language: () => string; baseUrl?: string }): PublicCall {
  const { words, language, baseUrl = '/api' } = options
  const failure = (code: 'network' | 'answer.unreadable', word: string) =>
    new HttpProblem({ message: words(word), statusCode: 0, code })
  return async (method, path, body) => {
    const answer = await fetch(`${baseUrl}/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'accept-language': language() },
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
