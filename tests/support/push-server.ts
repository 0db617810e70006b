import { inTransaction } from '#server/db/transaction.ts'
import { FcmSender } from '#server/notify/fcm-sender.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import { openProductTables, type TestEngine } from './databases.ts'
import { GoogleStub } from './google-stub.ts'
import { LiveServer } from './live-server.ts'
import type { Answer } from './people-server.ts'

/** A push service that takes everything. */
export const taken = { status: 200, body: { name: 'projects/fleet/messages/1' } }

/** A server whose pushes go to a stub of Google, with what tests do to devices. */
export class PushServer {
  readonly server: LiveServer
  readonly google: GoogleStub
  #count = 0

  private constructor(server: LiveServer, google: GoogleStub) {
    this.server = server
    this.google = google
  }

  static async open(engine: TestEngine): Promise<PushServer> {
    const google = await new GoogleStub().open()
    const sender = () =>
      new FcmSender({ account: google.account, baseUrl: google.origin, publicUrl: 'https://console.example' })
    const times = { retryMs: 20, timeoutMs: 400, everyMs: 50 }
    return new PushServer(await LiveServer.open(await openProductTables(engine), { push: { sender, times } }), google)
  }

  async close(): Promise<void> {
    await this.server.close()
    this.google.close()
  }

  person(role: 'client' | 'admin' = 'client', language?: 'en' | 'ru') {
    this.#count += 1
    return this.server.signedIn({ email: `device-${this.#count}@example.com`, role, ...(language ? { language } : {}) })
  }
  newPushId(): string {
    this.#count += 1
    return `push-${this.#count}`
  }
  register(token: string, body: object = {}): Promise<Answer> {
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' }
    const registration = { isDebug: false, platform: 'web', pushId: this.newPushId(), ...body }
    return this.server.call('POST', 'device', { token, body: registration, headers })
  }
  async own(token: string): Promise<Record<string, unknown>[]> {
    return JSON.parse((await this.server.call('GET', 'device', { token })).text)
  }
  notify(userId: string): Promise<string> {
    const note = { userId, title: ['Cell', 'Ячейка'], body: ['Hot', 'Жарко'], link: '/ess', now: new Date() } as const
    return inTransaction(this.server.database, (db) => notifyUser(db, note))
  }
  sentTo(pushId: string): number {
    return this.google.received.filter(({ message }) => message.token === pushId).length
  }
}
