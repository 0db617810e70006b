import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/browser'
import type { Label } from '#schema/words.ts'
import { passkeyWords } from './passkey-words.ts'

/** Lazy: most visits need no passkeys. */
const library = () => import('@simplewebauthn/browser')

/** Refusal by the device, the browser, or the user. */
export class PasskeyFault extends Error {
  readonly label: Label
  constructor(label: Label, cause: unknown) {
    super(label[0], { cause })
    this.label = label
  }
}

/** By the DOMException names of WebAuthn; browsers do not distinguish cancellation from timeout. */
const faults: Readonly<Record<string, Label>> = {
  NotAllowedError: passkeyWords.cancelled,
  AbortError: passkeyWords.cancelled,
  InvalidStateError: passkeyWords.present,
  SecurityError: passkeyWords.otherAddress,
}

async function orFault<T>(task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    throw new PasskeyFault(faults[error instanceof Error ? error.name : ''] ?? passkeyWords.unfit, error)
  }
}

/** True when the browser supports passkeys; most do not without TLS. */
export const knowsPasskeys = (): boolean => typeof PublicKeyCredential === 'function'

/** True when passkeys of a console at this origin work here. */
export const takesPasskeys = (origin: unknown): boolean => knowsPasskeys() && origin === location.origin

/** Creates a passkey on a device; returns the registration response for the server. Rejects with a fault. */
export async function makePasskey(options: unknown): Promise<object> {
  const { startRegistration } = await library()
  return orFault(() => startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }))
}

/** True when the browser offers passkeys in fields with `autocomplete="… webauthn"`. */
export const fillsPasskeys = async (): Promise<boolean> => (await library()).browserSupportsWebAuthnAutofill()

/**
 * Signs with a passkey that the user picks in such a field; undefined when another use of a device takes over. Waits as long as
 * it takes, without a dialog.
 */
export async function signByFilledPasskey(options: unknown): Promise<object | undefined> {
  const { startAuthentication } = await library()
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return startAuthentication({ optionsJSON, useBrowserAutofill: true }).catch(() => undefined)
}

/** Ends the wait of the field. */
export const stopFilling = async (): Promise<void> => (await library()).WebAuthnAbortService.cancelCeremony()

/** Signs with a passkey of a device. Rejects with a fault. */
export async function signByPasskey(options: unknown): Promise<object> {
  const { startAuthentication } = await library()
  return orFault(() => startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }))
}
