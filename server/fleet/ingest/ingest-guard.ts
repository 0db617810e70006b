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
const unitBytes = 256

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

export type Volume = {
  /** Burst: frames that may come at once. */
  most: number
  /** Sustained rate after that. */
  perMin: number
}

type Left = { units: number; at: number }

/**
 * Token bucket per key for stored volume. A frame costs one token per 256 bytes or part of it, since even invalid ones are
 * stored.
 */
export class VolumeLimit {
  readonly #volumes: readonly Volume[]
  readonly #left = new Map<string, Left[]>()

  constructor(...volumes: readonly Volume[]) {
    this.#volumes = volumes
  }

  /** Takes tokens for the frames from each bucket, or returns the seconds until there are enough. */
  take(hash: string, frames: readonly Buffer[]): number {
    const now = performance.now()
    const known = this.#left.get(hash)
    const asked = frames.reduce((sum, { length }) => sum + Math.ceil(length / unitBytes), 0)
    const left = this.#volumes.map(({ most, perMin }, index) => {
      const before = known?.[index]
      return before ? Math.min(most, before.units + ((now - before.at) / minuteMs) * perMin) : most
    })
    const waits = this.#volumes.map(({ perMin }, index) => Math.ceil(((asked - (left[index] ?? 0)) / perMin) * 60))
    const waitS = Math.max(0, ...waits)
    this.#left.set(
      hash,
      left.map((units) => ({ units: waitS > 0 ? units : units - asked, at: now })),
    )
    return waitS
  }
}
