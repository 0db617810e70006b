import type { Consumer, JetStreamClient, JetStreamManager, JsMsg, StreamConfig } from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import type { Config } from '#server/base/config.ts'
import { problem } from '#server/base/problems.ts'

/** As many bodies as two lanes of a group commit take: a partition has one under way. */
export const partitions = 128
const [streamName, deadName] = ['ESS_FRAMES', 'ESS_DEAD']
const mib = 1024 * 1024
const publishWithinMs = 5_000
/** Acknowledgement timeout: a message is delivered again after it. A running worker extends it. */
export const ackTimeoutMs = 10_000
const idleMs = 5_000

const subjectOf = (partition: number) => `ess.frames.${partition}`
type Opened = { connection: NatsConnection; stream: JetStreamClient; manager: JetStreamManager; incarnation: string }
type Settings = Pick<Config, 'natsUrl' | 'natsMaxMb' | 'natsReplicas'>
type Libraries = [typeof import('@nats-io/transport-node'), typeof import('@nats-io/jetstream')]

const away = (cause?: unknown) => problem('unavailable', { retryAfterS: 5 }, cause)

/** Makes a stream, or brings the one that is there up to the settings. */
const made = (manager: JetStreamManager, facts: { name: string } & Partial<StreamConfig>) =>
  manager.streams.info(facts.name).then(
    () => manager.streams.update(facts.name, facts),
    () => manager.streams.add(facts),
  )

/** Messages of a partition. `incarnation` identifies the stream: sequence numbers begin at 1 again when it is recreated. */
export type PartitionReader = {
  incarnation: string
  next: () => Promise<JsMsg | null>
  /** False once the connection is cut: the stream behind the next one may be another. */
  isCurrent: () => boolean
}

/**
 * Frames between their acceptance and their transaction, in a JetStream stream of one subject a partition. A subject delivers one message
 * at a time, no matter who asks, so the frames of a board stay in order.
 */
export class FrameStream {
  readonly #config: Settings
  readonly #libraries: Libraries
  #opening: Promise<Opened> | undefined
  #opened: Opened | undefined
  #isClosed = false

  private constructor(config: Settings, libraries: Libraries) {
    this.#config = config
    this.#libraries = libraries
  }

  /** Loads the client. A stream that is away is looked for at each call. */
  static async of(config: Settings): Promise<FrameStream> {
    return new FrameStream(config, await Promise.all([import('@nats-io/transport-node'), import('@nats-io/jetstream')]))
  }

  async #connect(): Promise<Opened> {
    const [{ connect }, { jetstream, jetstreamManager, AckPolicy, DiscardPolicy, RetentionPolicy, StorageType }] =
      this.#libraries
    const { natsUrl = '', natsMaxMb, natsReplicas } = this.#config
    const { username, password, host } = new URL(natsUrl)
    const account = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}
    const connection = await connect({
      servers: host,
      ...account,
      ...(natsUrl.startsWith('tls:') ? { tls: {} } : {}),
      // Each connection checks its streams first: a server that lost its disk gets them again, as a new incarnation.
      reconnect: false,
      timeout: publishWithinMs,
    })
    try {
      const manager = await jetstreamManager(connection, { timeout: publishWithinMs })
      const facts = { storage: StorageType.File, num_replicas: natsReplicas }
      const own = { ...facts, discard: DiscardPolicy.New, max_bytes: natsMaxMb * mib }
      const info = await made(manager, {
        ...own,
        name: streamName,
        subjects: ['ess.frames.*'],
        retention: RetentionPolicy.Workqueue,
      })
      await made(manager, { ...facts, name: deadName, subjects: ['ess.dead'], discard: DiscardPolicy.New, max_bytes: 64 * mib })
      const consumerOf = (partition: number) => ({
        durable_name: `partition-${partition}`,
        filter_subject: subjectOf(partition),
        ack_policy: AckPolicy.Explicit,
        ack_wait: ackTimeoutMs * 1_000_000,
        max_ack_pending: 1,
      })
      await Promise.all(
        Array.from({ length: partitions }, (_, partition) => manager.consumers.add(streamName, consumerOf(partition))),
      )
      const opened = { connection, manager, stream: jetstream(connection), incarnation: `${streamName} ${info.created}` }
      this.#opened = opened
      return opened
    } catch (error) {
      await connection.close()
      throw error
    }
  }

  async #open(): Promise<Opened> {
    if (this.#isClosed) throw away()
    if (this.#opened && !this.#opened.connection.isClosed()) return this.#opened
    this.#opening ??= this.#connect().finally(() => {
      this.#opening = undefined
    })
    return this.#opening
  }

  /** Resolves once the stream has it. 503 while it is away or full, 413 for what a message cannot hold: the board sends less. */
  async publish(partition: number, data: Buffer): Promise<void> {
    const { stream, connection } = await this.#open().catch((error: unknown) => {
      throw away(error)
    })
    if (data.length > (connection.info?.max_payload ?? mib)) throw problem('too-large')
    await stream.publish(subjectOf(partition), data, { timeout: publishWithinMs }).catch((error: unknown) => {
      throw away(error)
    })
  }

  /** Keeps what can never be stored, for a person to look at. */
  async bury(data: Uint8Array, reason: string): Promise<void> {
    const { stream } = await this.#open()
    const [{ headers }] = this.#libraries
    const facts = headers()
    facts.set('reason', reason.replace(/\s+/g, ' ').slice(0, 500))
    await stream.publish('ess.dead', data, { headers: facts, timeout: publishWithinMs })
  }

  async readerOf(partition: number): Promise<PartitionReader> {
    const { connection, stream, incarnation } = await this.#open()
    const consumer: Consumer = await stream.consumers.get(streamName, `partition-${partition}`)
    return { incarnation, next: () => consumer.next({ expires: idleMs }), isCurrent: () => !connection.isClosed() }
  }

  /** Messages that are not stored yet. Throws while the stream is away. */
  async waiting(): Promise<number> {
    const { manager } = await this.#open()
    const { state } = await manager.streams.info(streamName)
    return state.messages
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opened?.connection.close()
  }
}
