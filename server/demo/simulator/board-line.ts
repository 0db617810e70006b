import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Api } from '#server/base/context.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import type { WantedUpdate } from './board-update.ts'
import type { WantedConfiguration } from './simulated-board.ts'

export type Wanted = { configuration: WantedConfiguration | undefined; update: WantedUpdate | undefined }
export type Part = { updateId: string; from: number; to: number; sha256: string }

type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }
type Asked = { method?: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: Buffer }
type State = {
  configuration: { version: number; desired: Row } | null
  update: { id: string; version: string; sizeB: number; sha256: string; state: string } | null
}

const timeoutMs = 30_000
const nothing: Wanted = { configuration: undefined, update: undefined }

/** A wildcard address is called at the loopback address. */
const hostOf = ({ address, family }: AddressInfo) =>
  address === '::' || address === '0.0.0.0' ? (family === 'IPv6' ? '::1' : '127.0.0.1') : address

const wantedOf = ({ configuration, update }: State): Wanted => ({
  configuration: configuration ?? undefined,
  update: update
    ? { id: update.id, toVersion: update.version, sizeBytes: update.sizeB, sha256: update.sha256, status: update.state }
    : undefined,
})

/** Connection of simulated boards to the server: only the device API over HTTP, each board with its key. */
export class BoardLine {
  readonly #server: Pick<Api, 'server'>
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #heard = new Map<string, { tag: string; wanted: Wanted }>()

  constructor(server: Pick<Api, 'server'>) {
    this.#server = server
  }

  #call(key: string, { method = 'GET', path, headers, body }: Asked): Promise<Answer> {
    const at = this.#server.server.address()
    if (at === null || typeof at === 'string') throw new Error('the server does not listen on a port')
    return new Promise((resolve, reject) => {
      const length = body ? { 'content-type': 'application/octet-stream', 'content-length': String(body.length) } : {}
      const call = request(
        {
          agent: this.#agent,
          host: hostOf(at),
          port: at.port,
          path: `/api/device/v1/${path}`,
          method,
          timeout: timeoutMs,
          headers: { 'x-device-key': key, ...length, ...headers },
        },
        (answer) => {
          const pieces: Buffer[] = []
          answer.on('data', (piece: Buffer) => pieces.push(piece))
          answer.on('end', () =>
            resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(pieces) }),
          )
          answer.on('error', reject)
        },
      )
      call.on('error', reject)
      call.on('timeout', () => call.destroy(new Error('the server does not answer')))
      call.end(body)
    })
  }

  /** Sends frames. Returns the status, and whether the desired state has changed. */
  async send(key: string, frames: readonly Buffer[]): Promise<{ status: number; hasNews: boolean }> {
    const { status, bytes } = await this.#call(key, { method: 'POST', path: 'frames', body: Buffer.concat(frames) })
    const news = status === 202 ? (JSON.parse(bytes.toString()) as { news: object }).news : {}
    return { status, hasNews: Object.keys(news).length > 0 }
  }

  /** Desired state of the board; the cached one when unchanged. */
  async state(key: string): Promise<Wanted> {
    const before = this.#heard.get(key)
    const headers = before ? { 'if-none-match': before.tag } : {}
    const { status, headers: answered, bytes } = await this.#call(key, { path: 'state', headers })
    if (status !== 200) return before && status === 304 ? before.wanted : nothing
    const wanted = wantedOf(JSON.parse(bytes.toString()))
    this.#heard.set(key, { tag: String(answered.etag), wanted })
    return wanted
  }

  /** A chunk of an image; undefined when the server refuses it. */
  async part(key: string, { updateId, from, to, sha256 }: Part): Promise<Buffer | undefined> {
    const headers = { range: `bytes=${from}-${to - 1}`, 'if-range': `"${sha256}"` }
    const { status, bytes } = await this.#call(key, { path: `firmware/${updateId}`, headers })
    return status === 206 ? bytes : undefined
  }

  close(): void {
    this.#agent.destroy()
  }
}
