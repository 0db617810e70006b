import { setTimeout as sleep } from 'node:timers/promises'
import type { JsMsg } from '@nats-io/jetstream'
import type { ServerContext } from '#server/base/context.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import type { GroupCommit } from '#server/fleet/ingest/group-commit.ts'
import { bodyOf } from './body-message.ts'
import { ackTimeoutMs, type FrameStream, partitions } from './frame-stream.ts'

/** A body that fails so often while the database answers is given up. */
const mostTries = 3
const pauseMs = 500
/** Failures of the database, not of a body: they pass. */
const passing = new Set<string | undefined>(['unavailable', 'busy', 'no-space'])

type Tools = { context: ServerContext; stream: FrameStream; commits: GroupCommit }

/** Acknowledges a message. If the connection is lost it is delivered again, and its position marks it as stored. */
function acknowledge(act: () => void): void {
  try {
    act()
  } catch {}
}

const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Takes the messages of every partition one after the other; bodies of several partitions share a transaction. */
export class PartitionWorkers {
  readonly #tools: Tools
  readonly #ending = new AbortController()
  readonly #ended = new Promise<null>((resolve) => this.#ending.signal.addEventListener('abort', () => resolve(null)))
  readonly #loops: Promise<void>[]
  #isCut = false

  constructor(tools: Tools) {
    this.#tools = tools
    this.#loops = Array.from({ length: partitions }, (_, partition) => this.#work(partition))
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await Promise.all(this.#loops)
  }

  #pause = () => sleep(pauseMs, undefined, { signal: this.#ending.signal }).catch(() => undefined)

  async #work(partition: number): Promise<void> {
    const { stream, context } = this.#tools
    const { signal } = this.#ending
    while (!signal.aborted) {
      try {
        const { incarnation, next, isCurrent } = await stream.readerOf(partition)
        this.#isCut = false
        while (!signal.aborted && isCurrent()) {
          const message = await Promise.race([next(), this.#ended])
          if (message) await this.#store(message, { stream: incarnation, partition, seq: message.seq })
        }
      } catch (error) {
        if (signal.aborted) return
        if (!this.#isCut) context.log.warn({ err: error }, 'the stream of frames cannot be read')
        this.#isCut = true
        await this.#pause()
      }
    }
  }

  /** Acknowledged after its transaction. While the database is away the message waits; it is never given up for that. */
  async #store(message: JsMsg, position: { stream: string; partition: number; seq: number }): Promise<void> {
    const { context, commits } = this.#tools
    if (message.redelivered) context.metrics.redeliveries.inc()
    const alive = setInterval(() => acknowledge(() => message.working()), ackTimeoutMs / 3)
    try {
      for (let failures = 0; !this.#ending.signal.aborted; ) {
        try {
          await commits.store({ ...bodyOf(message.data), position })
          return acknowledge(() => message.ack())
        } catch (error) {
          if (!passing.has(databaseProblem(error)?.code)) failures += 1
          if (failures >= mostTries) return await this.#giveUp(message, error)
          await this.#pause()
        }
      }
    } finally {
      clearInterval(alive)
    }
  }

  async #giveUp(message: JsMsg, error: unknown): Promise<void> {
    const { context, stream } = this.#tools
    await stream.bury(message.data, textOf(error))
    context.metrics.deadMessages.inc()
    context.log.error({ err: error, seq: message.seq }, 'frames cannot be stored and are kept aside in ess.dead')
    acknowledge(() => message.term(textOf(error).replace(/\s+/g, ' ').slice(0, 200)))
  }
}
