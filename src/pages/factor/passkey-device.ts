import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { Label } from '#schema/words.ts'
import { passkeyWords } from './passkey-words.ts'

/** Loaded when a passkey is made or used: most visits do without it. */
const library = () => import('@simplewebauthn/browser')

/** A refusal of the device, of the browser, or of the person in front of it. */
export class PasskeyFault extends Error {
  readonly label: Label
  constructor(label: Label, cause: unknown) {
    super(label[0], { cause })
    this.label = label
  }
}

/** By the names that the standard gives to refusals; browsers tell a cancelled question and a late answer alike. */
const faults: Readonly<Record<string, Label>> = {
  NotAllowedError: passkeyWords.cancelled,
  AbortError: passkeyWords.cancelled,
  InvalidStateError: passkeyWords.present,
  SecurityError: passkeyWords.otherAddress,
}

async function told<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw new PasskeyFault(faults[error instanceof Error ? error.name : ''] ?? passkeyWords.unfit, error)
  }
}

/** True where the browser knows passkeys; most do not without TLS. */
export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** True where it takes those of a console at this address. */
export const takesPasskeys = (origin: unknown): boolean => knowsPasskeys() && origin === location.origin

/** Lets a device make a passkey; answers what the server asks for. Rejects with a fault. */
export async function makePasskey(options: unknown): Promise<object> {
  const { startRegistration } = await library()
  return told(() => startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }))
}

/** Lets a device sign with one of its passkeys. Rejects with a fault. */
export async function signByPasskey(options: unknown): Promise<object> {
  const { startAuthentication } = await library()
  return told(() => startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }))
}
