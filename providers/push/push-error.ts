/** Exact error texts of the push provider, compared by a contract test. */
export const pushFaults = {
  'unsupported-browser': "This browser doesn't support the API's required to use the Firebase SDK.",
  'indexed-db-unsupported': "This browser doesn't support indexedDb.open() (ex. Safari iFrame, Firefox Private Browsing, etc)",
  'permission-blocked': 'The notification permission was not granted and blocked instead.',
  'invalid-sw-registration': 'The input to useServiceWorker() must be a ServiceWorkerRegistration.',
} as const

export type PushFault = keyof typeof pushFaults

/** The provider's error, thrown here where the provider swallows it. */
export class PushError extends Error {
  readonly code: string

  constructor(fault: PushFault) {
    super(`Messaging: ${pushFaults[fault]} (messaging/${fault}).`)
    this.name = 'PushError'
    this.code = `messaging/${fault}`
  }
}
