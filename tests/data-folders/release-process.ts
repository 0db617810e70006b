import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const readyMs = 180_000

/** An unpacked release has its build; a checkout runs from its sources, so that nothing of another day is in `dist`. */
const programOf = (release: string): string[] =>
  existsSync(join(release, 'server/main.ts')) ? ['--import', 'tsx', 'server/main.ts'] : ['dist/server/main.mjs']

/** Output of a program, and how it ended. */
export type Ended = { code: number | null; output: string }

type Env = Record<string, string>
type Sent = { method?: string; token?: string; body?: object; headers?: Record<string, string> }

/** The server of any release, on a data folder, in a process of its own. */
export class ReleaseProcess {
  readonly #child: ChildProcess
  readonly url: string

  private constructor(child: ChildProcess, url: string) {
    this.#child = child
    this.url = url
  }

  /** Runs a command of the release to its end. */
  static async run(release: string, args: readonly string[], env: Env, program = programOf(release)): Promise<Ended> {
    const child = spawn(process.execPath, [...program, ...args], { cwd: release, env: { ...process.env, ...env } })
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    const [code] = await once(child, 'close')
    return { code, output }
  }

  static async start(release: string, env: Env, program = programOf(release)): Promise<ReleaseProcess> {
    const child = spawn(process.execPath, program, {
      cwd: release,
      env: { ...process.env, PORT: '0', LOG_LEVEL: 'error', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const url = await new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not ready within ${readyMs / 1000} s:\n${output}`)), readyMs)
      const read = (chunk: Buffer) => {
        output += chunk.toString()
        const address = /ESS console at (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1]
        if (!address) return
        clearTimeout(timer)
        resolve(address)
      }
      child.stdout.on('data', read)
      child.stderr.on('data', read)
      child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${output}`)))
    })
    return new ReleaseProcess(child, url)
  }

  async call(path: string, { method = 'GET', token, body, headers }: Sent = {}): Promise<{ status: number; text: string }> {
    const isBytes = Buffer.isBuffer(body)
    const answer = await fetch(`${this.url}/api/${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': isBytes ? 'text/csv' : 'application/json' }),
        ...headers,
      },
      ...(body && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }

  /** As a supervisor asks it to end. */
  async end(): Promise<void> {
    const gone = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    const [code] = await gone
    if (code !== 0) throw new Error(`the server ended with ${code}`)
  }
}
