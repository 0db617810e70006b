import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listening } from '#tests/support/ports.ts'
import { sendFile } from './static-files.ts'

type Row = { id: string; version: number } & Record<string, unknown>
export type MinimalServer = { url: string; calls: string[]; stop: () => void }

const user = { id: '1', email: 'somebody@example.com', role: 'admin' }
const session = () => ({ accessToken: 'x'.repeat(43), accessTokenExpired: Math.floor(Date.now() / 1000) + 3600, user })

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return parts.length > 0 ? JSON.parse(Buffer.concat(parts).toString()) : {}
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> }

const problem = (status: number, code: string): Answer => ({
  status,
  body: { statusCode: status, code, message: `Refused: ${code}`, requestId: '1' },
})

/** The calls of a session; undefined for another one. */
function ofSession(call: string, isSignedIn: boolean): Answer | undefined {
  if (call === 'POST auth/login' || call === 'POST auth/refresh') return { status: 200, body: session() }
  if (call === 'GET auth/methods') return problem(404, 'not-found')
  if (!isSignedIn) return problem(401, 'no-session')
  if (call === 'POST auth/logout') return { status: 204 }
  if (call === 'GET auth/me')
    return { status: 200, body: { user, permissions: { ess: { list: true, show: true, edit: true } } } }
  return undefined
}

/** No more than docs/api.md asks of a server behind the console: one list of systems, a sign-in, and 404 for the rest. */
export async function startMinimalServer(rows: Row[], { total = true } = {}): Promise<MinimalServer> {
  const calls: string[] = []
  const listed = (query: URLSearchParams): Answer => {
    const page = rows.slice(Number(query.get('_start')), Number(query.get('_end')))
    return { status: 200, body: page, headers: total ? { 'x-total-count': String(rows.length) } : {} }
  }
  const ofRecords = (call: string, query: URLSearchParams, body: object): Answer => {
    if (call === 'GET ess') return listed(query)
    const row = rows.find(({ id }) => [`GET ess/${id}`, `PUT ess/${id}`].includes(call))
    if (!row) return problem(404, 'not-found')
    if (call.startsWith('PUT')) Object.assign(row, body, { version: row.version + 1 })
    return { status: 200, body: row }
  }
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://console')
    if (!pathname.startsWith('/api/')) return sendFile('dist/console', pathname, response)
    const call = `${request.method} ${pathname.slice('/api/'.length)}`
    calls.push(call)
    const known = ofSession(call, request.headers.authorization !== undefined)
    const { status, body, headers } = known ?? ofRecords(call, searchParams, await bodyOf(request))
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  }
  const server = createServer((request, response) => void answer(request, response))
  const url = `http://127.0.0.1:${await listening(server)}`
  return {
    url,
    calls,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
