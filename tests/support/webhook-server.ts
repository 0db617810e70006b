import { sessionPart } from '#server/account/session/session-part.ts'
import { addRecordEvents } from '#server/account/webhook/add-webhook-events.ts'
import { webhookPart } from '#server/account/webhook/webhook-part.ts'
import type { WebhookTimes } from '#server/account/webhook/webhook-queue.ts'
import { rulesByResource } from '#server/app/rules.ts'
import { recordsPart } from '#server/engine/engine-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { openProductTables, type TestEngine } from './databases.ts'
import { openServer } from './open-server.ts'
import { PeopleServer } from './people-server.ts'
import { WebhookReceiver } from './webhook-receiver.ts'

export type Delivery = Record<string, unknown> & { id: string; state: string; attempts: number; dueAt: string | null }
export type TestHook = { id: string; secret: string; receiver: WebhookReceiver }
/** Times of a queue that tests need not wait for. */
export const shortTimes: WebhookTimes = { timeoutMs: 300, everyMs: 20, claimMs: 200 }
type Facts = { events?: string[]; minSeverity?: string; url?: string; isPaused?: boolean }

/** A server that sends webhooks to receivers on this machine, with an admin who makes them. */
export class WebhookServer extends PeopleServer {
  readonly #receivers: WebhookReceiver[] = []
  #token = ''
  #count = 0

  static async open(
    engine: TestEngine,
    env: Record<string, string> = {},
    times: Partial<WebhookTimes> = {},
  ): Promise<WebhookServer> {
    const server = new WebhookServer(
      await openServer({
        database: await openProductTables(engine),
        env: { PUBLIC_URL: 'https://console.example', WEBHOOK_NETWORKS: '127.0.0.1', ...env },
        isListening: true,
        parts: [
          sessionPart({ passwordCost: { memoryKiB: 64, passes: 1 } }),
          recordsPart({ rules: rulesByResource, mailOf: mailerOf, onChanges: addRecordEvents }),
          webhookPart({ ...shortTimes, ...times }),
        ],
      }),
    )
    server.#token = (await server.signedIn({ email: 'boss@example.com', role: 'admin' })).token
    return server
  }

  override async close(): Promise<void> {
    await super.close()
    for (const receiver of this.#receivers) await receiver.close()
  }

  /** Calls as the admin; a refusal fails the test. */
  async admin<T = Record<string, unknown>>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> {
    const answer = await this.call(method, path, { token: this.#token, ...(body ? { body } : {}) })
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body as T
  }
  asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
    this.call(method, path, { token: this.#token, ...(body ? { body } : {}) })

  async receiver(): Promise<WebhookReceiver> {
    const receiver = await new WebhookReceiver().open()
    this.#receivers.push(receiver)
    return receiver
  }

  /** A webhook with a secret and a receiver of its own, active unless it is said otherwise. */
  async hook({ isPaused = false, ...facts }: Facts = {}): Promise<TestHook> {
    const receiver = await this.receiver()
    this.#count += 1
    const made = { name: `Hook ${this.#count}`, url: receiver.url, events: ['record.created'], ...facts }
    const { id } = await this.admin<{ id: string }>('POST', 'webhook', made)
    const { secret } = await this.admin<{ secret: string }>('POST', `webhook/${id}/secret`)
    if (!isPaused) await this.admin('PUT', `webhook/${id}/resume`)
    return { id, secret, receiver }
  }

  /** Something that webhooks hear of: a new record; answers its id. */
  async happen(): Promise<string> {
    this.#count += 1
    const uid = `AB${this.#count.toString(16).padStart(10, '0')}`.toUpperCase()
    return (await this.admin<{ id: string }>('POST', 'control-pcb', { code: `PCB-${uid}`, uid, hardwareRevision: 'A1' })).id
  }

  deliveries = ({ id }: Pick<TestHook, 'id'>) =>
    this.admin<Delivery[]>('GET', `webhook-delivery?webhookId=${id}&_sort=createdAt&_order=asc`)
  delivery = (id: string) => this.admin<Delivery>('GET', `webhook-delivery/${id}`)
  webhook = ({ id }: Pick<TestHook, 'id'>) => this.admin('GET', `webhook/${id}`)
  stateOf = async (hook: Pick<TestHook, 'id'>) => (await this.deliveries(hook)).map(({ state }) => state)

  /** The first delivery once its attempt of this number has ended: each writes its end with a new version. */
  async settled(hook: Pick<TestHook, 'id'>, attempts: number): Promise<Delivery> {
    for (let tries = 0; tries < 250; tries += 1) {
      const [delivery] = await this.deliveries(hook)
      if (delivery?.attempts === attempts && Number(delivery.version) > attempts) return this.delivery(delivery.id)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`attempt ${attempts} has not ended: ${JSON.stringify(await this.deliveries(hook))}`)
  }

  /** As if the time of the next attempt had come. */
  comeDue = (hook: Pick<TestHook, 'id'>) =>
    this.rows(
      `update "webhook_delivery" set "dueAt" = now() - interval '1 s' where "webhookId" = '${hook.id}' and "dueAt" is not null`,
    )
}
