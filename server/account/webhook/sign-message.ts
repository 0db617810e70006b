import { createHmac } from 'node:crypto'
import { signingKeyOf } from './webhook-secrets.ts'

export type Message = { id: string; body: string }

/** Standard Webhooks headers: one signature per secret, so that a receiver with either secret accepts the message. */
export function signedHeaders({ id, body }: Message, secrets: readonly string[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', signingKeyOf(secret)).update(`${id}.${timestamp}.${body}`)
    return `v1,${mac.digest('base64')}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
