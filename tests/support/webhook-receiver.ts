import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Received = { headers: IncomingHttpHeaders; body: string; path: string }
/** `isEndless`: the answer begins and never ends. */
type Reply = { status: number; headers?: Record<string, string>; body?: string; delayMs?: number; isEndless?: boolean }

/** Another system: it answers as a test wants and keeps what came, to be verified by the library of Standard Webhooks. */
export class WebhookReceiver {
  readonly received: Received[] = []
  /** Answers in their order; the last one stays. */
  replies: Reply[] = [{ status: 204 }]
  #server: Server | undefined
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`
  }
  get ids(): (string | string[] | undefined)[] {
    return this.received.map(({ headers }) => headers['webhook-id'])
  }

  /** Listens, on the port that it had before. */
  async open(): Promise<this> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { headers, url: path = '' } = request
        this.received.push({ headers, path, body: Buffer.concat(chunks).toString() })
        const [reply = { status: 204 }] = this.replies.length > 1 ? this.replies.splice(0, 1) : this.replies
        setTimeout(() => {
          response.writeHead(reply.status, reply.headers)
          if (reply.isEndless) response.write('.')
          else response.end(reply.body)
        }, reply.delayMs ?? 0)
      })
    })
    this.#server = server
    await new Promise<void>((done) => server.listen(this.#port, '127.0.0.1', done))
    this.#port = (server.address() as AddressInfo).port
    return this
  }

  async close(): Promise<void> {
    const server = this.#server
    if (!server) return
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }

  /** Content of a message, for a receiver with this secret; throws where the signature is not of it. */
  static read(secret: string, { headers, body }: Received): { type: string; timestamp: string; data: Record<string, unknown> } {
    const texts = Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string')
    new Webhook(secret).verify(body, Object.fromEntries(texts))
    return JSON.parse(body)
  }
}
