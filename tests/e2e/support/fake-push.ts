import { type BrowserContext, type CDPSession, expect, type Page } from '@playwright/test'

/** Runs in the page, before its scripts: a subscription to a push service that does not exist. */
function fakeSubscriptions(): void {
  const key = 'fake-push'
  const bytes = (length: number, first: number) => {
    const made = new Uint8Array(length).fill(7)
    made[0] = first
    return made.buffer
  }
  const make = (endpoint: string): PushSubscription =>
    Object.defineProperties(Object.create(PushSubscription.prototype), {
      endpoint: { value: endpoint },
      expirationTime: { value: null },
      getKey: { value: (name: string) => (name === 'auth' ? bytes(16, 1) : bytes(65, 4)) },
      toJSON: { value: () => ({ endpoint }) },
      unsubscribe: {
        value: async () => {
          localStorage.removeItem(key)
          return true
        },
      },
    })
  PushManager.prototype.getSubscription = async () => {
    const endpoint = localStorage.getItem(key)
    return endpoint === null ? null : make(endpoint)
  }
  PushManager.prototype.subscribe = async () => {
    const endpoint = `https://push.invalid/${Math.random()}`
    localStorage.setItem(key, endpoint)
    return make(endpoint)
  }
}

const installations = /^https:\/\/firebaseinstallations\.googleapis\.com\//
const registrations = /^https:\/\/fcmregistrations\.googleapis\.com\//

/** A browser whose push provider is played by the test: it gives `token` for each registration. */
export async function playPushProvider(context: BrowserContext, token: string): Promise<void> {
  await context.addInitScript(fakeSubscriptions)
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-allow-methods': '*',
  }
  await context.route(installations, (route) => {
    const fid: unknown = route.request().postDataJSON()?.fid
    const authToken = { token: 'auth-token', expiresIn: '604800s' }
    return route.fulfill({ headers, json: { fid, refreshToken: 'refresh', authToken } })
  })
  await context.route(registrations, (route) =>
    route.fulfill({ headers, json: route.request().method() === 'DELETE' ? {} : { token } }),
  )
}

/** Delivers messages to the worker as the browser does when they come in. */
export class PushDelivery {
  readonly #cdp: CDPSession
  readonly #ids: ReadonlyMap<string, string>

  private constructor(cdp: CDPSession, ids: ReadonlyMap<string, string>) {
    this.#cdp = cdp
    this.#ids = ids
  }

  /** `page` stays open; any page of the browser will do. */
  static async watch(context: BrowserContext, page: Page): Promise<PushDelivery> {
    const cdp = await context.newCDPSession(page)
    const ids = new Map<string, string>()
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: all }) => {
      for (const { scopeURL, registrationId, isDeleted } of all) if (!isDeleted) ids.set(scopeURL, registrationId)
    })
    await cdp.send('ServiceWorker.enable')
    return new PushDelivery(cdp, ids)
  }

  async send(origin: string, payload: object): Promise<void> {
    const registrationId = this.#ids.get(`${origin}/`)
    if (registrationId === undefined) throw new Error(`no worker is registered at ${origin}`)
    await this.#cdp.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) })
  }
}

/** Titles of the notifications that the system shows for the console. */
export async function systemNotes(context: BrowserContext): Promise<string[]> {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no worker runs')
  return worker.evaluate(async () => {
    const { registration } = globalThis as typeof globalThis & { registration: ServiceWorkerRegistration }
    return (await registration.getNotifications()).map(({ title }) => title)
  })
}

/** Waits until the worker knows that its last page has gone: it learns of a closed page a moment later. */
export async function untilNoPageIsOpen(context: BrowserContext): Promise<void> {
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('no worker runs')
  const pages = () =>
    worker.evaluate(async () => {
      const { clients } = globalThis as typeof globalThis & { clients: { matchAll: (of: object) => Promise<unknown[]> } }
      return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length
    })
  await expect.poll(pages).toBe(0)
}
