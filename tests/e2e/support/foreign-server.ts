import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import { freePort, listening, untilAlive } from '#tests/support/ports.ts'
import { toolScript } from '#tests/support/tools.ts'
import { sendFile } from './static-files.ts'

type Rows = Readonly<Record<string, readonly object[]>>
export type ForeignServer = { url: string; session: () => SessionToken; stop: () => Promise<void> }

const user = {
  id: '1',
  email: 'somebody@example.com',
  role: 'admin',
  firstName: 'Some',
  lastName: 'Body',
  language: 'en',
  timezone: null,
} as const

const session = (): SessionToken => ({
  accessToken: 'x'.repeat(43),
  accessTokenExpired: Math.floor(Date.now() / 1000) + 3600,
  user,
})

/** Identity and permissions: a plain server of records leaves them to the proxy in front of it. */
const answers: Readonly<Record<string, () => unknown>> = {
  '/api/auth/me': () => ({ user, permissions: permissionsForJson() }),
  '/api/auth/refresh': session,
  '/api/auth/login': session,
}

function permissionsForJson() {
  const all = Object.entries(permissionsFor(definitionsOf(resources), user.role))
  return Object.fromEntries(
    all.map(([name, { actions, hidden, locked, ...verbs }]) => [
      name,
      { ...verbs, actions: [...actions], hidden: [...hidden], locked: [...locked] },
    ]),
  )
}

function forward(from: IncomingMessage, to: ServerResponse, port: number): void {
  const { url = '/', method, headers } = from
  const call = httpRequest({ port, host: '127.0.0.1', path: url.replace(/^\/api/, ''), method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(to)
  })
  call.on('error', () => to.writeHead(502).end())
  from.pipe(call)
}

/** A web server as it stands before any application: files, and calls that it hands on. */
const front = (folder: string, port: number) =>
  createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://console')
    const answer = answers[pathname]
    if (answer) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer()))
    else if (pathname.startsWith('/api/')) forward(request, response, port)
    else void sendFile(folder, pathname, response)
  })

const ended = (child: ChildProcess) => new Promise<void>((resolve) => child.once('exit', () => resolve()))

async function buildConsole(outDir: string): Promise<void> {
  process.env.VITE_UPDATE_METHOD = 'patch'
  try {
    await build({ root: process.cwd(), logLevel: 'error', environments: { client: { build: { outDir, emptyOutDir: true } } } })
  } finally {
    delete process.env.VITE_UPDATE_METHOD
  }
}

/** A json-server with some records, and the built console before it. Nothing of ours answers for the records. */
export async function startForeignServer(rows: Rows): Promise<ForeignServer> {
  const dir = await mkdtemp(join(tmpdir(), 'ess-foreign-'))
  const [data, folder, port] = [join(dir, 'db.json'), join(dir, 'console'), await freePort()]
  await Promise.all([writeFile(data, JSON.stringify(rows)), buildConsole(folder)])
  const args = [await toolScript('json-server'), '--quiet', '--host', '127.0.0.1', '--port', String(port), data]
  const child = spawn(process.execPath, args, { stdio: 'ignore', cwd: dir })
  const server = front(folder, port)
  const url = `http://127.0.0.1:${await listening(server)}`
  await untilAlive(`${url}/api/db`)
  return {
    url,
    session,
    async stop() {
      server.closeAllConnections()
      server.close()
      child.kill()
      await ended(child)
      await rm(dir, { recursive: true, force: true })
    },
  }
}
