import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { takeLockOf } from '#server/base/advisory-locks.ts'
import type { ServerContext } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { isHeld, Lease } from '#server/db/jobs/lease.ts'
import { inPipeline } from '#server/db/pipeline.ts'
import { rowOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'

/** Open event streams of all processes on one PostgreSQL, each with the lease of its process. */
export const liveStreamTable = `
create table "liveStream" (
  "id" text primary key,
  "userId" text not null,
  "lease" text not null
);
create index "liveStream_userId_ix" on "liveStream" ("userId");
`

/** A process that was killed takes up places until its lease has expired. */
const leaseMs = 25_000
export const beatMs = 8_000

const leasePrefix = 'streams '
const isAlive = sql`exists (select 1 from "lease" where "lease"."name" = "s"."lease" and ${isHeld})`

type Context = Pick<ServerContext, 'database' | 'log'>

/** `isKept`: its own transaction has made the row, which a beat may then make again. */
type Taken = { userId: string; isKept: boolean }

/**
 * Counts a person's event streams, over all processes of the database. The embedded database has one process, which counts in
 * memory alone.
 */
export class StreamPlaces {
  readonly #context: Context
  readonly #most: number
  readonly #taken = new Map<string, Taken>()
  readonly #leaseName = leasePrefix + uuidv7()
  readonly #lease: Lease
  readonly #isShared: boolean
  #beating: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(context: Context, most: number) {
    this.#context = context
    this.#most = most
    this.#lease = new Lease(context.database, { name: this.#leaseName, lifeMs: leaseMs })
    this.#isShared = context.database.kind === 'server'
  }

  /** Takes a place; the result gives it back. Throws 429 when a person has too many streams. */
  async take(userId: string): Promise<() => void> {
    const id = uuidv7()
    const taken = { userId, isKept: false }
    this.#taken.set(id, taken)
    try {
      if (!(await this.#isFree(id, userId))) throw problem('too-many', { retryAfterS: 10 })
      taken.isKept = true
    } catch (error) {
      this.#taken.delete(id)
      throw error
    }
    return () => this.#give(id)
  }

  async #isFree(id: string, userId: string): Promise<boolean> {
    if (this.#isShared) return this.#insert(id, userId)
    return [...this.#taken.values()].filter((other) => other.userId === userId).length <= this.#most
  }

  /** False when the processes together have enough of them. The lock makes calls of one person wait for each other. */
  #insert(id: string, userId: string): Promise<boolean> {
    return inPipeline(this.#context.database, async (db) => {
      const [, made] = await Promise.all([
        takeLockOf(db, 'thing', leasePrefix + userId),
        rowOf(
          db,
          sql`insert into "liveStream" ("id", "userId", "lease") select ${id}, ${userId}, ${this.#leaseName}
            where (select count(*) from "liveStream" "s" where "userId" = ${userId} and ${isAlive}) < ${this.#most}::int
            returning "id"`,
        ),
      ])
      return made !== undefined
    })
  }

  #give(id: string): void {
    this.#taken.delete(id)
    if (!this.#isShared || this.#closing) return
    const { database, log } = this.#context
    void sql`delete from "liveStream" where "id" = ${id}`.execute(database.kysely).catch((error: unknown) => {
      log.warn({ err: error }, 'a stream that has ended is counted until the next beat')
    })
  }

  /** Says that this process lives, makes its rows those of its streams, and removes those of processes that are gone. */
  async beat(): Promise<void> {
    if (!this.#isShared || this.#closing) return
    this.#beating = this.#renew()
    await this.#beating
  }

  async #renew(): Promise<void> {
    await this.#lease.take()
    await inTransaction(this.#context.database, async (db) => {
      const ids = sql.val([...this.#taken.keys()])
      const kept = [...this.#taken].filter(([, { isKept }]) => isKept)
      const [keptIds, userIds] = [sql.val(kept.map(([id]) => id)), sql.val(kept.map(([, { userId }]) => userId))]
      const before = uuidv7()
      await sql`delete from "lease" where starts_with("name", ${leasePrefix}) and not (${isHeld})`.execute(db)
      await sql`delete from "liveStream" "s" where not ${isAlive}
        or ("lease" = ${this.#leaseName} and "id" < ${before} and "id" <> all(${ids}::text[]))`.execute(db)
      await sql`insert into "liveStream" ("id", "userId", "lease")
        select "id", "userId", ${this.#leaseName} from unnest(${keptIds}::text[], ${userIds}::text[]) as "t"("id", "userId")
        on conflict do nothing`.execute(db)
    })
  }

  /** Gives back all places at once. */
  close(): Promise<void> {
    this.#closing ??= this.#isShared ? this.#release() : Promise.resolve()
    return this.#closing
  }

  async #release(): Promise<void> {
    try {
      await this.#beating?.catch(() => undefined)
      await this.#lease.release()
    } catch (error) {
      this.#context.log.warn({ err: error }, 'the streams of this process are counted until its lease has expired')
    }
  }
}
