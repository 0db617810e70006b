import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionEnded } from '#server/account/session/session-events.ts'
import { findTokens } from '#server/account/session/session-store.ts'
import type { ServerContext } from '#server/base/context.ts'
import { SingleFlight } from '#server/base/single-flight.ts'
import { beginning, comparePositions, eventIdOf, type Position, positionOf } from './event-position.ts'
import { isFurtherThan, isReached, latestPosition, pruneEvents, readEvents } from './event-store.ts'
import { pingFrame, signalFrame } from './live-frame.ts'
import type { LiveReaders, ReadyEvent } from './live-readers.ts'
import type { LiveStream } from './live-stream.ts'
import { StreamPlaces } from './stream-places.ts'

/** Milliseconds for `slowMs`; tests use shorter times. */
export type LiveLimits = { perUser: number; slowMs: number }
export const liveLimits: LiveLimits = { perUser: 10, slowMs: 20_000 }

const pageSize = 500
/** Longest replay: after more missed events reading everything again is less work for both. */
const mostReplayed = 5_000
const shortestWaitMs = 20
const longestWaitMs = 1_000

/** Reads events in order and fans them out to this process's streams. */
export class LiveHub {
  readonly places: StreamPlaces
  readonly #context: ServerContext
  readonly #readers: LiveReaders
  readonly #limits: LiveLimits
  readonly #streams = new Set<LiveStream>()
  #position: Position = beginning
  #begun: Promise<void> | undefined
  #isReady = false
  readonly #pumping = new SingleFlight<void>()
  #closed = false

  constructor(context: ServerContext, readers: LiveReaders, limits: LiveLimits) {
    this.places = new StreamPlaces(context, limits.perUser)
    this.#context = context
    this.#readers = readers
    this.#limits = limits
  }

  get size(): number {
    return this.#streams.size
  }

  /** Resume position for data read from now on: no change is missed. Undefined until the events were read once. */
  eventId(): string | undefined {
    return this.#isReady ? eventIdOf(this.#position, this.#context.clock().getTime()) : undefined
  }

  #of(userId: string): LiveStream[] {
    return [...this.#streams].filter(({ caller }) => caller.userId === userId)
  }

  /** Adds a stream and replays the events since `lastEventId`, or reports a reset. */
  async join(stream: LiveStream, lastEventId: string | undefined): Promise<void> {
    this.#streams.add(stream)
    stream.onClose(() => this.#streams.delete(stream))
    if (this.#closed) return stream.end()
    await this.#begin()
    await this.pump()
    const now = this.#context.clock().getTime()
    const asked = lastEventId === undefined ? undefined : positionOf(lastEventId, now)
    const known = asked && (await this.#isNear(asked)) ? asked : undefined
    stream.position = known ?? this.#position
    if (!known) stream.write(signalFrame(lastEventId === undefined ? 'ready' : 'reset', this.#position, now))
    await this.#catchUp(stream)
  }

  /** A client may name any position: it does not make the server read all events at each connection. */
  async #isNear(asked: Position): Promise<boolean> {
    const to = this.#position
    if (comparePositions(asked, to) > 0) return false
    return !(await isFurtherThan(this.#context.database.kysely, mostReplayed, { after: asked, to }))
  }

  #begin(): Promise<void> {
    this.#begun ??= latestPosition(this.#context.database.kysely).then(
      (position) => {
        this.#position = position
        this.#isReady = true
      },
      (error: unknown) => {
        this.#begun = undefined
        throw error
      },
    )
    return this.#begun
  }

  #isDoubtful = false
  /** After a lost connection: another cluster may answer now, whose events the positions of the former one would hide. */
  reconnected(): Promise<void> {
    this.#isDoubtful = true
    return this.pump()
  }

  /** Takes a new position in a cluster that has not counted up to the present one; when this fails, the next round retries. */
  async #recheck(): Promise<void> {
    const { database, clock } = this.#context
    if (this.#isReady && !(await isReached(database.kysely, this.#position))) {
      await pruneEvents(database.kysely, clock())
      this.#position = await latestPosition(database.kysely)
      for (const stream of this.#streams) {
        // A replaying stream is amid events of the former cluster: it reconnects, and is reset then.
        if (!stream.live) {
          stream.end()
          continue
        }
        stream.position = this.#position
        stream.write(signalFrame('reset', this.#position, clock().getTime()))
      }
    }
    this.#isDoubtful = false
  }

  /** Reads and sends new events. Resolves when everything readable at the call has been sent. */
  pump(): Promise<void> {
    return this.#pumping.of(() => this.#pumpAll())
  }

  async #pumpAll(): Promise<void> {
    await this.#begin()
    for (let isMore = true; isMore && !this.#closed; ) {
      if (this.#isDoubtful) await this.#recheck()
      const { events, held } = await readEvents(this.#context.database.kysely, this.#position, pageSize)
      const last = events.at(-1)
      const asking = new Set([...this.#streams].map(({ caller }) => caller.role))
      const ready = asking.size > 0 ? await this.#readers.prepare(this.#context.database.kysely, events, asking) : []
      if (last) this.#position = last.position
      for (const stream of this.#streams) if (stream.live) this.#tell(stream, ready)
      isMore = events.length === pageSize
      if (held && !isMore) this.#comeBack()
    }
  }

  #waitMs = shortestWaitMs
  #waiting = false
  /** Polls while a transaction older than the newest events runs, because no notification announces its end. */
  #comeBack(): void {
    if (this.#waiting) return
    this.#waiting = true
    void sleep(this.#waitMs, undefined, { ref: false }).then(async () => {
      this.#waiting = false
      const before = this.#position
      await this.attempt(() => this.pump())
      this.#waitMs = this.#position === before ? Math.min(this.#waitMs * 2, longestWaitMs) : shortestWaitMs
    })
  }

  /** Sends events until the stream's buffer is full. */
  #tell(stream: LiveStream, events: readonly ReadyEvent[]): void {
    const now = this.#context.clock()
    for (const event of events) {
      if (stream.position && comparePositions(event.position, stream.position) <= 0) continue
      stream.position = event.position
      if (!this.#readers.mayRead(event, stream.caller, now) || stream.tell(event)) continue
      stream.live = false
      void this.attempt(() => this.#catchUp(stream))
      return
    }
  }

  /** Lets a slow stream read at its own pace until it has caught up. */
  async #catchUp(stream: LiveStream): Promise<void> {
    const { kysely } = this.#context.database
    stream.live = false
    while (!stream.closed && stream.position) {
      await stream.drained()
      const target = this.#position
      if (comparePositions(stream.position, target) >= 0) {
        stream.live = true
        return
      }
      const { events } = await readEvents(kysely, stream.position, pageSize)
      if (events.length === 0) stream.position = target
      const now = this.#context.clock()
      for (const event of await this.#readers.prepare(kysely, events, new Set([stream.caller.role]))) {
        if (stream.closed) return
        stream.position = event.position
        if (this.#readers.mayRead(event, stream.caller, now) && !stream.tell(event)) await stream.drained()
      }
    }
  }

  /** Fire-and-forget: a failure is logged, and the next round retries. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!this.#closed) this.#context.log.warn({ err: error }, 'live events could not be read')
    }
  }

  /** Closes the streams of a session, or of all sessions of a user. */
  endOf({ userId, sessionId }: SessionEnded): void {
    for (const stream of this.#of(userId)) if (!sessionId || stream.caller.sessionId === sessionId) stream.end()
  }

  /** Closes streams with an expired token, a changed role or a stalled client. */
  async review(): Promise<void> {
    for (const stream of this.#streams) if (stream.blockedMs > this.#limits.slowMs) stream.end()
    if (this.#streams.size === 0) return
    const { database, clock } = this.#context
    const now = clock()
    const hashes = [...new Set([...this.#streams].map(({ tokenHash }) => tokenHash))]
    const found = await findTokens(database.kysely, hashes, now)
    for (const stream of this.#streams) {
      const token = found.get(stream.tokenHash)
      const good = token?.state === 'live' && token.goodUntil > now.getTime() && token.caller.role === stream.caller.role
      if (!good && hashes.includes(stream.tokenHash)) stream.end()
    }
  }

  ping(): void {
    for (const stream of this.#streams) stream.ping(pingFrame)
  }

  /** Closes all streams; clients reconnect, to this or another process. */
  close(): void {
    this.#closed = true
    for (const stream of this.#streams) stream.end()
    void this.places.close()
  }
}
