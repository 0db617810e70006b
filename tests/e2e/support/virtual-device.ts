import type { CDPSession, Page } from '@playwright/test'

const kind = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/** A device with passkeys inside the browser of a page, whose owner answers every question at once. */
export class VirtualDevice {
  readonly #session: CDPSession
  readonly #id: string

  private constructor(session: CDPSession, id: string) {
    this.#session = session
    this.#id = id
  }

  /**
   * `picks`: its owner picks the passkey that the browser offers in a field, as soon as it does; else this browser offers none.
   * It is in place from the next page on.
   */
  static async in(page: Page, { picks = false } = {}): Promise<VirtualDevice> {
    await page.addInitScript((isAvailable) => {
      PublicKeyCredential.isConditionalMediationAvailable = async () => isAvailable
    }, picks)
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options: kind })
    return new VirtualDevice(session, authenticatorId)
  }

  /** From now on the owner shows the right finger, or a wrong one. */
  async recognises(isUserVerified: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', { authenticatorId: this.#id, isUserVerified })
  }

  async passkeys() {
    return (await this.#session.send('WebAuthn.getCredentials', { authenticatorId: this.#id })).credentials
  }

  /** Sets the counter of each passkey back, as that of a copy is. */
  async setBack(): Promise<void> {
    for (const credential of await this.passkeys()) {
      await this.#session.send('WebAuthn.removeCredential', {
        authenticatorId: this.#id,
        credentialId: credential.credentialId,
      })
      await this.#session.send('WebAuthn.addCredential', {
        authenticatorId: this.#id,
        credential: { ...credential, signCount: 0 },
      })
    }
  }
}
