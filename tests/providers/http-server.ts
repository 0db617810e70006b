import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createHttp, type HttpOptions } from '#providers/http.ts'
import type { HttpProblem } from '#providers/http-problem.ts'
import type { SessionStore } from '#providers/session/session-store.ts'

export type Handler = (request: IncomingMessage, answer: ServerResponse) => void

/** A real server on a free port, whose handler a test may change. */
export async function listen(handler: Handler) {
  const server = createServer((request, answer) => handler(request, answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export function sendJson(answer: ServerResponse, statusCode: number, body?: unknown, headers: Record<string, string> = {}) {
  answer.writeHead(statusCode, { 'content-type': 'application/json', ...headers })
  answer.end(body === undefined ? undefined : JSON.stringify(body))
}

/** A client of that server; words are their keys. */
export function clientOf(baseURL: string, session: SessionStore, options: Partial<HttpOptions> = {}) {
  const problems: HttpProblem[] = []
  const http = createHttp({
    baseURL,
    session,
    language: () => 'ru',
    words: (key, values) => (values?.status ? `${key} ${values.status}` : key),
    onProblem: (problem) => problems.push(problem),
    ...options,
  })
  return { http, problems }
}
