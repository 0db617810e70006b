import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, listening, untilAlive } from '#tests/support/ports.ts'
import { toolScript } from '#tests/support/tools.ts'
import { ApiUser, accounts } from './api-user.ts'

type Violation = { location: string[]; severity: string; code: string; message: string }
type Answer = { description?: string; content?: Record<string, { schema: object }> }
export type Description = { paths: Record<string, Record<string, { responses: Record<string, Answer> }>> }
export type CheckedApi = { url: string; violations: string[]; stop: () => Promise<void> }

/** Streams have no end that a checker could wait for, and the bytes of boards, images and archives survive none that reads text. */
const unchecked = /^(GET \/api\/(events|docs|case-file\/[^/]+\/zip)|POST \/api\/(ingest|firmware$))/
const isChecked = (method: string | undefined, path: string) => path.startsWith('/api/') && !unchecked.test(`${method} ${path}`)

const readAll = async (from: IncomingMessage): Promise<Buffer> => Buffer.concat(await from.toArray())

type Call = { port: number; path: string; request: IncomingMessage; body: Buffer }

const call = ({ port, path, request, body }: Call) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const { method, headers } = request
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, resolve)
    sent.on('error', reject)
    sent.end(body)
  })

/**
 * Findings of the checker. A wrong answer always counts; a wrong question only where the server took it, because refusing it is
 * what it is for.
 */
function faultsOf(request: IncomingMessage, answer: IncomingMessage): string[] {
  const found = answer.headers['sl-violations']
  if (typeof found !== 'string') return []
  const isRefused = (answer.statusCode ?? 500) >= 400
  return (JSON.parse(found) as Violation[])
    .filter(({ location }) => location[0] === 'response' || !isRefused)
    .map(
      ({ location, code, message }) =>
        `${request.method} ${request.url}: ${answer.statusCode} ${location.join('.')}: ${code}: ${message}`,
    )
}

type Ports = { server: number; checker: number }

async function answer(request: IncomingMessage, response: ServerResponse, ports: Ports, violations: string[]): Promise<void> {
  const path = request.url ?? '/'
  const body = await readAll(request)
  const direct = () => call({ port: ports.server, path, request, body })
  const checked = () => call({ port: ports.checker, path: path.replace(/^\/api/, ''), request, body })
  const first = isChecked(request.method, path) ? await checked() : await direct()
  // The checker answers itself where nothing describes the call.
  const isOwn = String(first.headers['content-type']).includes('problem+json')
  if (isOwn) first.resume()
  const shown = isOwn ? await direct() : first
  if (isOwn && (shown.statusCode ?? 500) < 400) violations.push(`${request.method} ${path}: nothing describes it`)
  violations.push(...faultsOf(request, shown))
  const { 'sl-violations': _, ...headers } = shown.headers
  response.writeHead(shown.statusCode ?? 502, headers)
  // A page that is closed ends its stream at the server, too, where only so many may be open.
  response.once('close', () => shown.destroy())
  shown.pipe(response)
}

/** Prism between a browser and its server: every call and answer is held against the description of the API, or an edited one. */
export async function checkApi(serverUrl: string, edit = (description: Description) => description): Promise<CheckedApi> {
  const admin = await ApiUser.signIn(serverUrl, accounts.admin)
  const dir = await mkdtemp(join(tmpdir(), 'ess-checked-'))
  const description = join(dir, 'openapi.json')
  await writeFile(description, JSON.stringify(edit(await admin.get<Description>('openapi.json'))))
  const ports = { server: Number(new URL(serverUrl).port), checker: await freePort() }
  const args = [
    await toolScript('prism'),
    'proxy',
    description,
    `${serverUrl}/api`,
    '-p',
    String(ports.checker),
    '-h',
    '127.0.0.1',
  ]
  const child = spawn(process.execPath, args, { stdio: 'ignore', cwd: dir })
  await untilAlive(`http://127.0.0.1:${ports.checker}/health`)
  const violations: string[] = []
  const front = createServer((request, response) => {
    answer(request, response, ports, violations).catch((error: unknown) => {
      violations.push(`${request.method} ${request.url}: ${String(error)}`)
      response.destroy()
    })
  })
  return {
    url: `http://127.0.0.1:${await listening(front)}`,
    violations,
    async stop() {
      front.closeAllConnections()
      front.close()
      child.kill()
      await new Promise((resolve) => child.once('exit', resolve))
      await rm(dir, { recursive: true, force: true })
    },
  }
}
