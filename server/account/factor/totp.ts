import { Secret, TOTP } from 'otpauth'

/** Parameters that authenticator apps understand without settings of their own. */
const usual = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Clocks of phones are off by up to a step, and typing takes time. */
const skewSteps = 1
const secretBytes = 20

export const newSecret = (): string => new Secret({ size: secretBytes }).base32

/** The address that an authenticator app reads from a QR code. */
export const uriOf = (secret: string, email: string): string =>
  new TOTP({ ...usual, issuer: 'ESS console', label: email, secret: Secret.fromBase32(secret) }).toString()

/** The period that a code belongs to, one step early or late included; undefined for a code of no such period. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...usual, token: code, secret: Secret.fromBase32(secret), timestamp, window: skewSteps })
  return delta === null ? undefined : TOTP.counter({ period: usual.period, timestamp }) + delta
}
