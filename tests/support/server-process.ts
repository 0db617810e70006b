import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plannedBuild } from '#server/app/source-hash.mjs'
import { type Database, openDatabase } from '#server/db/connect.ts'
import { embeddedFolder, type TestEngine } from './databases.ts'
import { killChild } from './kill-child.ts'
import { createTestDatabase, type TestDatabase } from './postgres.ts'

const admin = { email: 'admin@example.com', password: 'tiny-otter-waves-42' }
const waitMs = 60_000
/** A process that ends soon need not optimize the embedded engine: that is a third of the work of a start. */
const flags = ['--liftoff-only']

/**
 * Arguments of Node for the server: the build where it is one of these sources, which are otherwise translated and compiled
 * again at each start.
 */
export const serverProgram = [
  ...flags,
  ...(plannedBuild(process.cwd(), {}) ? ['--import', 'tsx', 'server/main.ts'] : ['dist/server/main.mjs']),
]

/**
 * The server as it really runs, in a process of its own that can be killed at any moment and started again on the same data.
 */
export class ServerProcess {
  readonly dataDir: string
  readonly #postgres: TestDatabase | undefined
  #child: ChildProcess | undefined
  #token = ''
  #output = ''
  url = ''

  private constructor(dataDir: string, postgres: TestDatabase | undefined) {
    this.dataDir = dataDir
    this.#postgres = postgres
  }

  /** Makes its empty database; nothing runs yet. */
  static async on({ name }: TestEngine): Promise<ServerProcess> {
    if (name === 'PGlite') return new ServerProcess(await embeddedFolder(), undefined)
    return new ServerProcess(await mkdtemp(join(tmpdir(), 'ess-process-')), await createTestDatabase())
  }

  /** On a database that the test ends itself. */
  static async at(url: string): Promise<ServerProcess> {
    return new ServerProcess(await mkdtemp(join(tmpdir(), 'ess-process-')), { url, drop: async () => {} })
  }

  /** Runs the program with arguments on this server's place, or on another one: its exit code and all that it said. */
  async run(args: readonly string[], env: Record<string, string> = {}): Promise<{ code: number | null; output: string }> {
    const child = spawn(process.execPath, [...serverProgram, ...args], {
      env: { ...this.#env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    const [code] = await once(child, 'close')
    return { code, output }
  }

  get #env(): NodeJS.ProcessEnv {
    return {
      ...process.env,
      DATA_DIR: this.dataDir,
      PORT: '0',
      DEMO: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MIN: '1000000',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...(this.#postgres ? { DATABASE_URL: this.#postgres.url } : {}),
    }
  }

  /** A second process on the same PostgreSQL, not started yet. */
  async beside(): Promise<ServerProcess> {
    if (!this.#postgres) throw new Error('an embedded database has one process')
    const { url } = this.#postgres
    return new ServerProcess(await mkdtemp(join(tmpdir(), 'ess-process-')), { url, drop: async () => {} })
  }

  async start(env: Record<string, string> = {}): Promise<void> {
    const child = spawn(process.execPath, serverProgram, { env: { ...this.#env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    this.url = await new Promise<string>((resolve, reject) => {
      this.#output = ''
      const timer = setTimeout(() => reject(new Error(`not ready within ${waitMs / 1000} s:\n${this.#output}`)), waitMs)
      const read = (chunk: Buffer) => {
        this.#output += chunk.toString()
        const address = /http:\/\/127\.0\.0\.1:\d+/.exec(/ESS console at \S+/.exec(this.#output)?.[0] ?? '')
        if (!address) return
        clearTimeout(timer)
        resolve(address[0])
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${this.#output}`)))
    })
    const { accessToken } = await this.call<{ accessToken: string }>('POST', 'auth/login', admin)
    this.#token = accessToken
  }

  /** All that it has said since its start. */
  get output(): string {
    return this.#output
  }

  get pid(): number {
    if (!this.#child?.pid) throw new Error('the server was never started')
    return this.#child.pid
  }

  /** Sends a signal that it is to outlive. */
  signal(name: NodeJS.Signals): void {
    this.#child?.kill(name)
  }

  get authorization(): string {
    return `Bearer ${this.#token}`
  }

  /** As a supervisor asks it to end: the exit code, and how long it took. */
  async terminate(): Promise<{ code: number | null; ms: number }> {
    const child = this.#child
    if (!child) throw new Error('the server was never started')
    const started = performance.now()
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    const [code] = await gone
    return { code, ms: performance.now() - started }
  }

  /** As if the power had gone: nothing of the process runs any more. */
  kill = (): Promise<void> => killChild(this.#child)

  /** The stored data, while no server runs on it. Close it before the next start. */
  openDatabase(): Promise<Database> {
    const { url } = this.#postgres ?? {}
    return openDatabase({ dataDir: this.dataDir, ...(url ? { databaseUrl: url } : {}) })
  }

  /** Calls the API as the admin; a refusal fails the test. */
  async call<T = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<T> {
    const isForm = body instanceof FormData
    const answer = await fetch(`${this.url}/api/${path}`, {
      method,
      headers: {
        ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}),
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: isForm ? body : JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    const parsed: T = text ? JSON.parse(text) : {}
    return parsed
  }

  /** Sends frames as a board does. Rejects when the server dies before it has answered. */
  async send(key: string, ...frames: Buffer[]): Promise<void> {
    const headers = { 'content-type': 'application/octet-stream', 'x-device-key': key }
    const answer = await fetch(`${this.url}/api/ingest`, { method: 'POST', headers, body: Buffer.concat(frames) })
    await answer.arrayBuffer()
    if (answer.status !== 202) throw new Error(`the frames were refused with ${answer.status}`)
  }

  async remove(): Promise<void> {
    await this.kill()
    await this.#postgres?.drop()
    await rm(this.dataDir, { recursive: true, force: true })
  }
}
