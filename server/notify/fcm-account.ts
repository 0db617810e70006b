import { createSign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { ConfigError } from '#server/base/config.ts'

const accountSchema = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().includes('PRIVATE KEY'),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
})

/** The key of a Firebase service account, in Google's JSON format. */
export type FcmAccount = z.output<typeof accountSchema>

/** Reads a service account file. Throws a ConfigError that does not quote it. */
export function readFcmAccount(file: string): FcmAccount {
  try {
    return accountSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    const reason =
      error instanceof z.ZodError ? error.issues.map(({ path }) => path.join('.')).join(', ') : 'it can not be read'
    throw new ConfigError(`FCM_SERVICE_ACCOUNT: ${file} is no key file of a service account (${reason})`)
  }
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const scope = 'https://www.googleapis.com/auth/firebase.messaging'
export const assertionLifeS = 3600

/** A signed JWT assertion, to be exchanged for an access token. */
export function signAssertion({ client_email, private_key, token_uri }: FcmAccount, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1000)
  const claims = { iss: client_email, scope, aud: token_uri, iat: issuedAt, exp: issuedAt + assertionLifeS }
  const content = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(claims)}`
  return `${content}.${createSign('RSA-SHA256').update(content).sign(private_key, 'base64url')}`
}
