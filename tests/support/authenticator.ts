import { Secret, TOTP } from 'otpauth'
import type { Answer, PeopleServer } from './people-server.ts'

/** An authenticator app that was given a secret; `stepsOff` sets its clock wrong by periods of 30 s. */
export class Authenticator {
  readonly #totp: TOTP
  constructor(secret: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(secret) })
  }
  codeAt(timestamp: number, stepsOff = 0): string {
    return this.#totp.generate({ timestamp: timestamp + stepsOff * 30_000 })
  }
}

export type Protected = { email: string; id: string; app: Authenticator; recoveryCodes: string[]; token: string }

/** A person who has set up an authenticator app; the periods around its first code are over. */
export async function addProtected(
  server: PeopleServer,
  email: string,
  role: 'admin' | 'client' = 'client',
): Promise<Protected> {
  const { id, token } = await server.signedIn({ email, role })
  const begun = await server.call('POST', 'auth/factor/totp', { token })
  const app = new Authenticator(String(begun.body.secret))
  const done = await server.call('PUT', 'auth/factor/totp', { token, body: { code: app.codeAt(server.now) } })
  if (done.status !== 200) throw new Error(`no second factor: ${done.text}`)
  server.pass(90)
  return { email, id, app, token, recoveryCodes: done.body.recoveryCodes as string[] }
}

/** The challenge that a right password is answered with. */
export async function challengeOf(server: PeopleServer, email: string, ip?: string): Promise<string> {
  const { status, body } = await server.login(email, undefined, ip ? { ip } : {})
  if (status !== 202) throw new Error(`no challenge for ${email}: ${status}`)
  return String(body.challenge)
}

export const giveCode = (server: PeopleServer, challenge: string, code: string, ip?: string): Promise<Answer> =>
  server.call('POST', 'auth/challenge/code', { body: { challenge, code }, ...(ip ? { ip } : {}) })
