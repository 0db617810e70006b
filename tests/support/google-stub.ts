import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { FcmAccount } from '#server/notify/fcm-account.ts'

type Answer = { status: number; body?: unknown; delayMs?: number }
type Message = {
  message: { token: string; notification: Record<string, string>; data: Record<string, string>; webpush?: unknown }
}

const textOf = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}
const json = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>

/** How Firebase names an error. */
export const fcmError = (status: number, errorCode: string): Answer => ({
  status,
  body: { error: { code: status, details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }] } },
})

/** Google's two endpoints on this machine. A token is only given for a statement that the account's key has signed. */
export class GoogleStub {
  readonly received: Message[] = []
  /** Answers to the next messages; the last one stays. */
  answers: Answer[] = [{ status: 200, body: { name: 'projects/p/messages/1' } }]
  tokensGiven = 0
  refused: string[] = []
  account!: FcmAccount
  origin = ''
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  readonly #server = createServer((request, response) => {
    void this.#answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}))
    })
  })

  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    this.origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    this.account = {
      project_id: 'fleet',
      client_email: 'console@fleet.example',
      private_key: this.#keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      token_uri: `${this.origin}/token`,
    }
    return this
  }

  #isSigned(assertion: string): boolean {
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    const key = createPublicKey(this.#keys.publicKey.export({ type: 'spki', format: 'pem' }))
    const { alg } = json(head)
    const { iss, aud, scope, iat, exp } = json(claims)
    const fits = iss === this.account.client_email && aud === this.account.token_uri && Number(exp) - Number(iat) <= 3600
    const isScope = scope === 'https://www.googleapis.com/auth/firebase.messaging'
    return (
      alg === 'RS256' &&
      fits &&
      isScope &&
      verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))
    )
  }

  async #answer(request: IncomingMessage): Promise<Answer> {
    const text = await textOf(request)
    if (request.url === '/token') {
      const assertion = new URLSearchParams(text).get('assertion') ?? ''
      if (!this.#isSigned(assertion)) {
        this.refused.push(assertion)
        return { status: 400, body: { error: 'invalid_grant' } }
      }
      this.tokensGiven += 1
      return { status: 200, body: { access_token: `token-${this.tokensGiven}`, expires_in: 3600, token_type: 'Bearer' } }
    }
    if (request.headers.authorization !== `Bearer token-${this.tokensGiven}`) return { status: 401 }
    if (request.url !== '/v1/projects/fleet/messages:send') return { status: 404 }
    this.received.push(JSON.parse(text))
    const answer = (this.answers.length > 1 ? this.answers.shift() : this.answers[0]) ?? { status: 500 }
    if (answer.delayMs) await new Promise((resolve) => setTimeout(resolve, answer.delayMs))
    return answer
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
