import { Secret, TOTP } from 'otpauth'
import { productName } from '#server/base/product.ts'

/** Default parameters of authenticator apps. */
const usual = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Tolerates clock drift of one step, and the time for typing. */
const skewSteps = 1
const secretBytes = 20

export const newSecret = (): string => new Secret({ size: secretBytes }).base32

/** The otpauth URI for a QR code. */
export const uriOf = (secret: string, email: string): string =>
  new TOTP({ ...usual, issuer: productName, label: email, secret: Secret.fromBase32(secret) }).toString()

/** The period of a code, within the tolerance; undefined when it matches none. */
export function stepOf(secret: string, code: string, now: Date): number | undefined {
  const timestamp = now.getTime()
  const delta = TOTP.validate({ ...usual, token: code, secret: Secret.fromBase32(secret), timestamp, window: skewSteps })
  return delta === null ? undefined : TOTP.counter({ period: usual.period, timestamp }) + delta
}
