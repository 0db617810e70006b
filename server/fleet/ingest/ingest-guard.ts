import { sql } from 'kysely'
import type { Queryable } from '#server/db/query.ts'
import { rowOf } from '#server/db/query.ts'

const knownForMs = 60_000
const unitBytes = 256

/**
 * Keys that boards have. A key that was found is believed for a minute: the transaction that stores frames looks at it again.
 * Keys that nobody has are not remembered, so strangers fill no memory.
 */
export class KnownKeys {
  #found = new Set<string>()
  #since = Number.NEGATIVE_INFINITY

  async has(db: Queryable, hash: string, demo: boolean): Promise<boolean> {
    const now = performance.now()
    if (now - this.#since > knownForMs) {
      this.#found = new Set()
      this.#since = now
    }
    if (this.#found.has(hash)) return true
    if (!(await rowOf(db, sql`select 1 from "deviceKey" "k" where ${keyWorks(hash, demo)}`))) return false
    this.#found.add(hash)
    return true
  }
}

/** Condition on a row "k" of "deviceKey": the board is in use, and a key of the demo opens only while the demo is on. */
export const keyWorks = (hash: string, demo: boolean) => sql`"k"."hash" = ${hash} and (${demo} or not "k"."isDemo")
  and not exists (select 1 from "control_pcb" "b" where "b"."id" = "k"."controlPcbId" and "b"."lifecycle" = 'RETIRED')`

export type Volume = {
  /** Burst of one board: the backlog of days without a network. */
  most: number
  /** Sustained rate after the burst. */
  perMin: number
}

/** Limits what each key stores. A frame counts one for each begun 256 bytes, since even a broken one is kept. */
export class VolumeLimit {
  readonly #volume: Volume
  readonly #left = new Map<string, { units: number; at: number }>()

  constructor(volume: Volume) {
    this.#volume = volume
  }

  /** Takes the frames from what the key has left, or answers the seconds until there is room for them. */
  take(hash: string, frames: readonly Buffer[]): number {
    const { most, perMin } = this.#volume
    const now = performance.now()
    const known = this.#left.get(hash)
    const units = known ? Math.min(most, known.units + ((now - known.at) / 60_000) * perMin) : most
    const asked = frames.reduce((sum, { length }) => sum + Math.ceil(length / unitBytes), 0)
    const isAllowed = asked <= units
    this.#left.set(hash, { units: isAllowed ? units - asked : units, at: now })
    return isAllowed ? 0 : Math.ceil(((asked - units) / perMin) * 60)
  }
}
