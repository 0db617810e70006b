import { Socket } from 'node:net'
import pg from 'pg'

const liftsTimeout = /\bstatement_timeout = 0\b/
const endsTransaction = /^\s*(commit|rollback)\b/i

const textOf = (asked: unknown): string => (typeof asked === 'string' ? asked : String(Object(asked).text ?? ''))

class ConnectionTimeout extends Error {
  override readonly name = 'ConnectionTimeout'
  readonly code = 'ETIMEDOUT'
}

/** `askedAt`: start of the wait for an answer; undefined while none is awaited. */
type Watched = { socket: Socket; pid: number; askedAt: number | undefined; doubts: number }

/** States of server processes, as far as the server shows them. Rejects when it does not answer soon. */
type States = (pids: readonly number[]) => Promise<ReadonlyMap<number, string>>

const probeEveryMs = 1_000
const doubtfulMs = 2_000
const probeTimeoutMs = 2_000
/** An answer may be on its way when the first probe says that its process is done. */
const mostDoubts = 2

/** Asks on a fresh connection each time: an open one may be dead as well. */
const statesAt =
  (connectionString: string): States =>
  async (pids) => {
    const time = { connectionTimeoutMillis: probeTimeoutMs, query_timeout: probeTimeoutMs }
    const client = new pg.Client({ connectionString, ...time })
    client.on('error', () => undefined)
    try {
      await client.connect()
      const asked = `select "pid", coalesce("state", '') as "state" from pg_stat_activity where "pid" = any($1::int[])`
      const { rows } = await client.query<{ pid: number; state: string }>(asked, [pids])
      return new Map(rows.map(({ pid, state }) => [pid, state]))
    } finally {
      void client.end().catch(() => undefined)
    }
  }

const processOf = (client: pg.ClientBase): unknown => Reflect.get(client, 'processID')

/**
 * Cuts dead connections. A host that vanishes leaves requests unanswered, and the kernel would wait for a quarter of an hour. A
 * waiting connection is cut at once when the server answers others and its own process there is idle or has gone: then the
 * request or the answer was lost. Else it is cut after the longest time that a statement may take; transactions that lift the
 * statement timeout are exempt from that. Behind a pooler the process of a connection is another one: nothing follows from its
 * state.
 */
export class ConnectionWatchdog {
  readonly #silentMs: number
  readonly #states: States
  readonly #watched = new Set<Watched>()
  readonly #timer: NodeJS.Timeout
  #isProbing = false
  #isDirect = false

  constructor(connectionString: string, silentMs: number) {
    this.#silentMs = silentMs
    this.#states = statesAt(connectionString)
    this.#timer = setInterval(() => void this.#probe(), probeEveryMs).unref()
  }

  /** A pooler names processes of its own: then states say nothing, and dead connections are cut by time alone. */
  async detectPooler(client: pg.ClientBase): Promise<void> {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as "pid"')
    this.#isDirect = rows[0]?.pid === processOf(client)
  }

  add(client: pg.PoolClient): void {
    const socket: unknown = Reflect.get(Object(Reflect.get(client, 'connection')), 'stream')
    if (!(socket instanceof Socket)) return
    const watched: Watched = {
      socket,
      pid: Number(processOf(client)),
      askedAt: undefined,
      doubts: 0,
    }
    // In pipeline mode an answer may come while others are awaited.
    let awaited = 0
    const answered = () => {
      awaited -= 1
      if (awaited === 0) watched.askedAt = undefined
    }
    this.#watched.add(watched)
    let isLifted = false
    const query = client.query
    const asking = (...given: unknown[]) => {
      const text = textOf(given[0])
      if (liftsTimeout.test(text)) isLifted = true
      if (endsTransaction.test(text)) isLifted = false
      socket.setTimeout(isLifted ? 0 : this.#silentMs)
      Object.assign(watched, { askedAt: performance.now(), doubts: 0 })
      const answer: unknown = Reflect.apply(query, client, given)
      if (answer instanceof Promise) {
        awaited += 1
        answer.then(answered, answered)
      }
      return answer
    }
    Reflect.set(client, 'query', asking)
    socket.on('data', () => {
      watched.askedAt = awaited > 0 ? performance.now() : undefined
    })
    socket.on('close', () => this.#watched.delete(watched))
    socket.on('timeout', () => this.#cut(watched, this.#silentMs))
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #cut({ socket }: Watched, silentMs: number): void {
    socket.destroy(new ConnectionTimeout(`The database said nothing for ${Math.round(silentMs / 1000)} s`))
  }

  #doubtful(): Watched[] {
    const before = performance.now() - doubtfulMs
    return [...this.#watched].filter(({ askedAt }) => askedAt !== undefined && askedAt < before)
  }

  async #probe(): Promise<void> {
    const asked = this.#doubtful()
    if (!this.#isDirect || this.#isProbing || asked.length === 0) return
    this.#isProbing = true
    try {
      const states = await this.#states(asked.map(({ pid }) => pid))
      const stillSilent = new Set(this.#doubtful())
      for (const watched of asked) {
        const isDone = states.get(watched.pid)?.startsWith('idle') ?? true
        watched.doubts = isDone && stillSilent.has(watched) ? watched.doubts + 1 : 0
        if (watched.doubts >= mostDoubts) this.#cut(watched, performance.now() - (watched.askedAt ?? 0))
      }
    } catch {
      // The server answers nobody: nothing can be told of these connections.
    } finally {
      this.#isProbing = false
    }
  }
}
