import type { RawBuilder } from 'kysely'
import type { RolloutWait } from '#resources/shared/updates.ts'
import type { Label } from '#schema/words.ts'
import type { Queryable } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import type { Rollout, Target, TargetState } from '#server/fleet/firmware/waves/rollout-store.ts'

/** Facts that equivalent boards share; `obstacle` is what the payload finds in SQL. */
export type Facts = {
  product: string
  hardwareRevision: string
  lifecycle: string
  currentVersion: string | null
  isOnline: boolean
  obstacle: RolloutWait | null
}

/** The payload for boards "b" with reports "s" in the ESS "e", for their choice. */
export type Brought = {
  /** Seed of the lots, the same before and after saving. */
  lot: string
  join: RawBuilder<unknown>
  obstacle: RawBuilder<unknown>
  /** Reason to leave boards out; `isNamed`: they are chosen one by one. */
  reasonFor: (facts: Facts, isNamed: boolean) => RolloutWait | undefined
}

/** Result of a board's turn: it is requested, waits, or is left out for good. */
export type Verdict = { state: TargetState; reason?: RolloutWait }

/** A payload locked until the end of the transaction: either a reason to pause, or the way to bring it to a board. */
export type Held = { objection: Label } | { ask: (target: Target, now: Date) => Promise<Verdict> }

/** A transaction and its time. */
export type Moment = Pick<Work, 'db' | 'now'>

/** The part of a rollout that differs by what it brings. Waves, failures, pauses and counts are the same for all. */
export type Payload = {
  /** The payload that the values of a form or a record name; undefined when it does not exist. */
  brought: (at: Moment, values: Row) => Promise<Brought | undefined>
  /** Keeps what the start must know later. */
  begin: (db: Queryable, rollout: Rollout) => Promise<void>
  hold: (db: Queryable, rollout: Rollout) => Promise<Held>
}
