import { type RawBuilder, sql } from 'kysely'
import type { rolloutStates } from '#resources/rollout.ts'
import type { rolloutPayloads } from '#resources/shared/rollout-parts.ts'
import { addEvents } from '#server/db/events/add-events.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { type Wave, wavesOf } from './plan-waves.ts'

export type RolloutStatus = keyof typeof rolloutStates
export type PayloadKind = keyof typeof rolloutPayloads

/** A rollout for its rules; `wave` counts from 1, and is 0 before the start. */
export type Rollout = {
  id: string
  version: number
  name: string
  brings: PayloadKind
  firmwareId: string | null
  templateId: string | null
  status: RolloutStatus
  wave: number
  waves: readonly Wave[]
  waveSince: string | null
  waveReadyAt: string | null
  acceptedFailures: number
  /** The person in whose name boards are asked. */
  startedBy: string | null
}

type Stored = Omit<Rollout, 'waves'> & { waves: unknown }
const columns = sql.raw(
  ['id', 'version', 'name', 'brings', 'firmwareId', 'templateId', 'status', 'waves', 'waveSince', 'waveReadyAt']
    .map((name) => `"${name}"`)
    .concat('coalesce("wave", 0)::int4 as "wave"', 'coalesce("acceptedFailures", 0)::int4 as "acceptedFailures"')
    // A rollout that an older release has started does not say by whom.
    .concat('coalesce("startedBy", "createdBy") as "startedBy"')
    .join(', '),
)

/** Locks a rollout until the end of the transaction; undefined when it is locked elsewhere, unless `waits`. */
export async function lockRollout(db: Queryable, id: string, waits = false): Promise<Rollout | undefined> {
  const how = sql.raw(waits ? 'for update' : 'for update skip locked')
  const row = await rowOf(db, sql<Stored>`select ${columns} from "rollout" where "id" = ${id} ${how}`)
  return row && { ...row, waves: wavesOf(row.waves) }
}

export const runningRollouts = (db: Queryable): Promise<{ id: string }[]> =>
  rowsOf(db, sql<{ id: string }>`select "id" from "rollout" where "status" = 'RUNNING' order by "id"`)

/** Updates columns of a rollout and announces the change. */
export async function changeRollout(
  db: Queryable,
  { id }: Pick<Rollout, 'id'>,
  set: Readonly<Record<string, string | number | Date | null>>,
  now: Date,
): Promise<void> {
  const values: RawBuilder<unknown>[] = Object.entries(set).map(([name, value]) => sql`${sql.id(name)} = ${value}`)
  const row = await rowOf(
    db,
    sql<{
      version: number
    }>`update "rollout" set ${sql.join([...values, sql`"version" = "version" + 1`, sql`"updatedAt" = ${now}`])}
      where "id" = ${id} returning "version"`,
  )
  await addEvents(db, [{ resource: 'rollout', id, version: row?.version ?? 1, type: 'updated' }], now)
}

export type TargetState = 'WAITING' | 'REQUESTED' | 'SKIPPED'
/** A board of a rollout. */
export type Target = { controlPcbId: string; wave: number }

/**
 * A random sample of waiting boards up to a wave: blocked boards must not starve the others. It is in the order of ids, in which
 * boards are locked everywhere.
 */
export const drawTargets = (db: Queryable, id: string, upToWave: number, limit: number): Promise<Target[]> =>
  rowsOf(
    db,
    sql<Target>`select * from (select "controlPcbId", "wave" from "rolloutTarget" where "rolloutId" = ${id} and "state" = 'WAITING'
      and "wave" <= ${upToWave} order by random() limit ${limit}) "drawn" order by "controlPcbId"`,
  )

/** Records whether a board was requested, skipped or must wait, and why. True when that changed. */
export async function markTarget(
  db: Queryable,
  rolloutId: string,
  { controlPcbId, state, reason = null }: { controlPcbId: string; state: TargetState; reason?: string | null },
): Promise<boolean> {
  const noted = sql`update "rolloutTarget" set "state" = ${state}, "reason" = ${reason}::text where "rolloutId" = ${rolloutId}
    and "controlPcbId" = ${controlPcbId} and ("state", "reason") is distinct from (${state}::text, ${reason}::text) returning 1`
  return (await rowOf(db, noted)) !== undefined
}
