import { type RawBuilder, sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import { databaseProblem } from '#server/db/database-problem.ts'
import type { Queryable } from '#server/db/query.ts'
import { rowOf } from '#server/db/query.ts'
import { beginNextKey } from '#server/fleet/board/device-key.ts'

const knownForMs = minuteMs
const whileAwayMs = 10 * minuteMs
/** The last use of a key is recorded with this precision only. */
const usedEveryMs = 5 * minuteMs

type Found = { controlPcbId: string; isNext: boolean; isStale: boolean }
type Known = { controlPcbId: string; atMs: number }

const recordUse = (db: Queryable, key: AskedKey) =>
  sql`update "deviceKey" "k" set "lastUsedAt" = ${key.now} where ${keyWorks(key)}`.execute(db)

/**
 * Cache of valid keys with their boards: trusted for a minute, and for ten while the database is away. Unknown keys are not cached, so
 * that an attacker cannot fill the memory.
 */
export class KnownKeys {
  #known = new Map<string, Known>()
  #sweptMs = Number.NEGATIVE_INFINITY

  #within(hash: string, ms: number): string | undefined {
    const known = this.#known.get(hash)
    return known && performance.now() - known.atMs <= ms ? known.controlPcbId : undefined
  }

  #keep(hash: string, controlPcbId: string): void {
    const atMs = performance.now()
    if (atMs - this.#sweptMs > whileAwayMs) {
      this.#known = new Map([...this.#known].filter(([, known]) => atMs - known.atMs <= whileAwayMs))
      this.#sweptMs = atMs
    }
    this.#known.set(hash, { controlPcbId, atMs })
  }

  /** The board of a key of which the database need not be asked. */
  remembered = ({ hash }: AskedKey): string | undefined => this.#within(hash, knownForMs)

  async #ask(db: Queryable, key: AskedKey): Promise<string | undefined> {
    const usedBefore = new Date(key.now.getTime() - usedEveryMs)
    const found = await rowOf(
      db,
      sql<Found>`select "k"."controlPcbId", coalesce("k"."nextHash" = ${key.hash}, false) as "isNext",
        coalesce("k"."lastUsedAt" < ${usedBefore}, true) as "isStale" from "deviceKey" "k" where ${keyWorks(key)}`,
    )
    if (!found) {
      this.#known.delete(key.hash)
      return undefined
    }
    if (found.isNext) await beginNextKey(db, key)
    if (found.isStale || found.isNext) await recordUse(db, key)
    this.#keep(key.hash, found.controlPcbId)
    return found.controlPcbId
  }

  /** The board of a valid key. */
  async boardOf(db: Queryable, key: AskedKey): Promise<string | undefined> {
    try {
      return await this.#ask(db, key)
    } catch (error) {
      const controlPcbId = this.#within(key.hash, whileAwayMs)
      if (controlPcbId === undefined || databaseProblem(error)?.code !== 'unavailable') throw error
      return controlPcbId
    }
  }
}

export type AskedKey = { hash: string; demo: boolean; now: Date }

/**
 * Condition on a row "k" of "deviceKey": the key is the current, the next, or the former one within its overlap; the board is
 * in use, and demo keys are valid only while the demo is on.
 */
export const keyWorks = ({
  hash,
  demo,
  now,
}: Omit<AskedKey, 'hash'> & { hash: string | RawBuilder<unknown> }) => sql`("k"."hash" = ${hash} or "k"."nextHash" = ${hash}
    or ("k"."oldHash" = ${hash} and "k"."oldUntil" > ${now})) and (${demo} or not "k"."isDemo")
  and not exists (select 1 from "control_pcb" "b" where "b"."id" = "k"."controlPcbId" and "b"."lifecycle" = 'RETIRED')`
