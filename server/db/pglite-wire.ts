import { EventEmitter } from 'node:events'
import { Duplex } from 'node:stream'
import { type Engine, lost, startEngine } from './pglite-engine.ts'
import { SessionStatements } from './session-statements.ts'
import { greeting, isIdle, notificationsIn, query, splitBatch } from './wire-messages.ts'

export type WireOptions = {
  dataDir: string
  startWithinMs: number
  statementTimeoutMs: number
  /** Idle-in-transaction timeout: the transaction is rolled back, because it blocks all other clients. */
  idleTransactionMs: number
  onFatal: (reason: Error) => void
}

/** The embedded engine as a stream for the `pg` driver: `new pg.Pool({ stream: wire.stream })`. */
export type PgliteWire = {
  stream: () => Duplex
  /** Emits notification payloads by channel, and `lost` after a restart of the engine. */
  notifications: EventEmitter
  close: () => Promise<void>
}

type Waiting = { client: Duplex; run: () => void }

/** Queue for the engine's one session: each client holds it until its transaction ends, or its prepared statement is sent. */
class SessionQueue {
  owner: Duplex | undefined
  #waiting: Waiting[] = []

  enter(next: Waiting) {
    if (this.owner === next.client) return next.run()
    this.#waiting.push(next)
    this.#next()
  }
  release() {
    this.owner = undefined
    this.#next()
  }
  leave(client: Duplex) {
    this.#waiting = this.#waiting.filter((next) => next.client !== client)
  }
  #next() {
    if (this.owner) return
    const next = this.#waiting.shift()
    this.owner = next?.client
    next?.run()
  }
}

type Shared = {
  engine: Engine
  queue: SessionQueue
  statements: SessionStatements
  clients: Set<Wire>
  notifications: EventEmitter
  idleTransactionMs: number
}

/** The socket of one driver client. */
class Wire extends Duplex {
  #shared: Shared
  #held = Buffer.alloc(0)
  #greeted = false
  #running = false
  #isInTransaction = false
  #idle: NodeJS.Timeout | undefined

  constructor(shared: Shared) {
    super()
    this.#shared = shared
  }

  connect() {
    this.#shared.clients.add(this)
    queueMicrotask(() => this.emit('connect'))
  }
  setNoDelay() {}
  setKeepAlive() {}
  ref() {}
  unref() {}

  override _read() {}
  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void) {
    this.#take(chunk, done)
  }
  override _writev(chunks: { chunk: Buffer }[], done: (error?: Error | null) => void) {
    this.#take(Buffer.concat(chunks.map(({ chunk }) => chunk)), done)
  }

  #take(bytes: Buffer, done: (error?: Error | null) => void) {
    if (!this.#greeted) {
      this.#greeted = true
      this.push(greeting)
      return done()
    }
    const { batch, rest } = splitBatch(this.#held.length > 0 ? Buffer.concat([this.#held, bytes]) : bytes)
    this.#held = Buffer.from(rest)
    if (batch.length === 0) return done()
    clearTimeout(this.#idle)
    this.#shared.queue.enter({ client: this, run: () => void this.#exchange(batch, done) })
  }

  async #exchange(batch: Buffer, done: (error?: Error | null) => void) {
    const { engine, queue, statements, notifications, idleTransactionMs } = this.#shared
    this.#running = true
    let isReleased = false
    try {
      const prepared = statements.prepare(batch)
      // The engine answers in order: while this reply is on its way, it already works for the next client.
      isReleased = prepared.staysIdle && !this.#isInTransaction
      const answer = engine.exchange(prepared.batch)
      if (isReleased) queue.release()
      const reply = await answer
      statements.settle(prepared.names, reply)
      this.#running = false
      this.#isInTransaction = !isIdle(reply)
      if (this.destroyed) return isReleased ? undefined : this.#leave()
      this.push(reply)
      if (!this.#isInTransaction && !isReleased) queue.release()
      if (this.#isInTransaction)
        this.#idle = setTimeout(() => this.destroy(lost('The transaction was idle for too long', '25P03')), idleTransactionMs)
      done()
      if (notifications.eventNames().length > 0)
        for (const { channel, payload } of notificationsIn(reply)) notifications.emit(channel, payload)
    } catch (error) {
      this.#running = false
      if (queue.owner === this) queue.release()
      done(error instanceof Error ? error : new Error(String(error)))
    }
  }

  #leave() {
    const { engine, queue } = this.#shared
    engine.exchange(query('rollback')).then(
      () => queue.release(),
      () => queue.release(),
    )
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    clearTimeout(this.#idle)
    const { clients, queue } = this.#shared
    clients.delete(this)
    queue.leave(this)
    // While a statement runs, its own completion ends the transaction.
    if (queue.owner === this && !this.#running) this.#leave()
    done(error)
  }
  override _final(done: () => void) {
    done()
    this.push(null)
    this.destroy()
  }
}

/** Starts the engine and connects the `pg` driver to it. */
export async function openPgliteWire({
  dataDir,
  startWithinMs,
  statementTimeoutMs,
  idleTransactionMs,
  onFatal,
}: WireOptions): Promise<PgliteWire> {
  const clients = new Set<Wire>()
  const notifications = new EventEmitter().setMaxListeners(0)
  const statements = new SessionStatements()
  const onLost = (reason: Error) => {
    statements.forget()
    for (const client of clients) client.destroy(reason)
    notifications.emit('lost')
  }
  const engine = await startEngine({ dataDir, startWithinMs, statementTimeoutMs, onLost, onFatal })
  const shared: Shared = { engine, queue: new SessionQueue(), statements, clients, notifications, idleTransactionMs }
  return { stream: () => new Wire(shared), notifications, close: () => engine.close() }
}
