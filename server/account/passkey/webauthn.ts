import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import type { FastifyBaseLogger } from 'fastify'
import type { ServerReason } from '#schema/server-reasons.ts'
import { nameOf, type Person } from '#server/account/user-store.ts'
import { productName } from '#server/base/product.ts'
import type { Queryable } from '#server/db/query.ts'
import { beginCeremony, type Ceremony, ceremonyMs } from './ceremony.ts'
import type { Assertion, Attestation } from './passkey-schema.ts'
import { credentialsOf, lockPasskey, recordUse } from './passkey-store.ts'
import type { RelyingParty } from './relying-party.ts'

/** Loaded lazily: most processes need no passkeys at first. */
const library = () => import('@simplewebauthn/server')

/** User handle: the device stores it and returns it on sign-in. */
const handleOf = (userId: string) => Uint8Array.from(Buffer.from(userId))
const bytesOf = (text: string) => Uint8Array.from(Buffer.from(text, 'base64url'))

type Begin = { rp: RelyingParty; ceremony: Ceremony; now: Date }
type Owner = Pick<Person, 'id' | 'email' | 'firstName' | 'lastName'>

/** Options to create a discoverable passkey with user verification. */
export async function creationOptions(
  db: Queryable,
  { rp, ceremony, now }: Begin,
  person: Owner,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: productName,
    rpID: rp.id,
    userID: handleOf(person.id),
    userName: person.email,
    userDisplayName: nameOf(person),
    challenge: bytesOf(await beginCeremony(db, ceremony, now)),
    timeout: ceremonyMs,
    excludeCredentials: await credentialsOf(db, person.id),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** Options to use a passkey. Public calls omit the credential list, which would reveal who has an account. */
export async function requestOptions(
  db: Queryable,
  { rp, ceremony, now }: Begin,
  userId?: string,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: rp.id,
    challenge: bytesOf(await beginCeremony(db, ceremony, now)),
    timeout: ceremonyMs,
    userVerification: 'required',
    ...(userId !== undefined && { allowCredentials: await credentialsOf(db, userId) }),
  })
}

type Checked<T> = { rp: RelyingParty; challenge: string; response: T; log: FastifyBaseLogger }

/** The library distinguishes rejections by message only: callers get one problem, and the reason is logged. */
async function orRefused<T>(log: FastifyBaseLogger, task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task()
  } catch (error) {
    log.info({ reason: Object(error).message }, 'a passkey was refused')
    return undefined
  }
}

/** The new credential from a registration response; undefined when verification fails. */
export async function registeredKey({ rp, challenge, response, log }: Checked<Attestation>) {
  const { verifyRegistrationResponse } = await library()
  const { id, rawId, type } = response
  const { clientDataJSON, attestationObject, transports = [] } = response.response
  const verified = await orRefused(log, () =>
    verifyRegistrationResponse({
      response: { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
    }),
  )
  if (!verified?.verified) return undefined
  const { id: credentialId, publicKey, counter } = verified.registrationInfo.credential
  return { credentialId, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
}

export type PasskeyRefusal = Extract<ServerReason, 'wrong-passkey' | 'passkey.counter'>

/**
 * Verifies an authentication response against the user's passkey and records its use; returns the refusal otherwise. A counter
 * that does not increase is checked after the signature: it indicates a cloned key.
 */
export async function provePasskey(
  db: Queryable,
  { userId, now, rp, challenge, response, log }: Checked<Assertion> & { userId: string; now: Date },
): Promise<PasskeyRefusal | undefined> {
  const { id, rawId, type } = response
  const { userHandle, ...signed } = response.response
  const stored = await lockPasskey(db, userId, id)
  if (!stored || (userHandle && userHandle !== Buffer.from(handleOf(userId)).toString('base64url'))) return 'wrong-passkey'
  const { verifyAuthenticationResponse } = await library()
  const verified = await orRefused(log, () =>
    verifyAuthenticationResponse({
      response: { id, rawId, type, response: signed, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      credential: { id: stored.credentialId, publicKey: bytesOf(stored.publicKey), counter: 0 },
    }),
  )
  if (!verified?.verified) return 'wrong-passkey'
  const { newCounter } = verified.authenticationInfo
  if ((newCounter > 0 || stored.counter > 0) && newCounter <= stored.counter) return 'passkey.counter'
  await recordUse(db, stored.id, { counter: newCounter, now })
  return undefined
}
