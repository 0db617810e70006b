import { sql } from 'kysely'
import { hourMs, minuteMs } from '#schema/format/durations.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { FrameObserver, IngestedBatch } from '#server/fleet/ingest/ingest-frames.ts'
import type { StoredFrame } from '#server/fleet/ingest/store-packages.ts'
import type { Sample } from '#server/frames/frame-decoder.ts'
import { type Evaluation, evaluate, type OpenWarning, type WarningMemory } from './evaluate.ts'
import { type Limit, type Limits, limitsOf } from './limits.ts'
import { type PlantRow, plantColumns, plantModel, plantOf } from './plant-facts.ts'
import { type Override, overridesOf, type RuleFacts } from './rule-facts.ts'
import { sampleRules } from './rules.ts'
import { clearWarnings, type Evidence, type Place, raiseWarning } from './warning-store.ts'

type Known = PlantRow & {
  memory: WarningMemory | null
  open: (OpenWarning & { id: string; lastSeenAt: string })[] | null
  maintained: boolean
  socMinPct: number | null
  overrides: unknown
  limits: Record<string, Limit> | null
}

/** Everything that the rules need to know of a board, in one statement: this runs for each packet. */
const knownOf = (db: Queryable, { board, receivedAt }: IngestedBatch) =>
  rowOf(
    db,
    sql<Known>`select (select "memory" from "warningMemory" where "controlPcbId" = ${board.controlPcbId}) as "memory",
      (select json_agg(json_build_object('id', "w"."id", 'code', "w"."code", 'severity', "w"."severity", 'latched', "w"."latched", 'lastSeenAt', "w"."lastSeenAt"))
        from "telemetry_warning" "w" where "w"."controlPcbId" = ${board.controlPcbId} and "w"."active") as "open",
      coalesce(("e"."maintenance"->>'until')::timestamptz > ${receivedAt}, false) as "maintained", ${plantColumns},
      ("c"."desired"->>'socMinPct')::float8 as "socMinPct", "c"."desired"->'warningOverrides' as "overrides",
      (select json_object_agg("key", json_build_object('delayS', "delayS", 'levels', "levels")) from "warningThreshold") as "limits"
      from (select 1) "one" left join "ess" "e" on "e"."id" = ${board.essId} ${plantModel} left join lateral (select "desired" from "configuration" where "controlPcbId" = ${board.controlPcbId}
        order by "version" desc limit 1) "c" on true`,
  )

const mostStarts = 20

/** Starts in these frames and in the last hour. */
function startsOf({ frames, receivedAt }: IngestedBatch, memory: WarningMemory): number[] {
  const fresh = frames.flatMap(({ decoded }) =>
    decoded.type === 'BOOT' && decoded.status !== 'INVALID' ? [receivedAt.getTime()] : [],
  )
  return [...(memory.starts ?? []), ...fresh].filter((at) => at > receivedAt.getTime() - hourMs).slice(-mostStarts)
}

/** Channels that a support engineer wants to see as they were. */
const snapshotOf = ({ values }: Sample): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))

const seenEveryMs = 5 * minuteMs

/** It is enough to know to some minutes when a warning was last seen. */
async function noteSeen(
  db: Queryable,
  { seen }: Evaluation,
  open: readonly (OpenWarning & { id: string; lastSeenAt: string })[],
  now: Date,
) {
  const codes = new Set<string>(seen.map(({ code }) => code))
  const old = open.filter(({ code, lastSeenAt }) => codes.has(code) && now.getTime() - Date.parse(lastSeenAt) > seenEveryMs)
  if (old.length === 0) return
  await sql`update "telemetry_warning" set "lastSeenAt" = ${now} where "id" in (${sql.join(old.map(({ id }) => id))})`.execute(
    db,
  )
}

async function writeMemory(
  db: Queryable,
  controlPcbId: string,
  before: WarningMemory | null,
  after: WarningMemory,
): Promise<void> {
  if (JSON.stringify(before ?? {}) === JSON.stringify(after)) return
  await sql`insert into "warningMemory" ("controlPcbId", "memory") values (${controlPcbId}, ${JSON.stringify(after)}::jsonb)
    on conflict ("controlPcbId") do update set "memory" = excluded."memory"`.execute(db)
}

const memoryOf = (pending: Record<string, number>, starts: number[]): WarningMemory => ({
  ...(Object.keys(pending).length > 0 ? { pending } : {}),
  ...(starts.length > 0 ? { starts } : {}),
})

type Reading = { batch: IngestedBatch; known: Known; limits: Limits | undefined; starts: number[] }

/** Facts of one frame. Only the last frame of a batch shows the clock offset: earlier ones may have waited for hours. */
function factsOf({ batch: { receivedAt, frames }, known, limits, starts }: Reading, { decoded }: StoredFrame): RuleFacts {
  const { sample, deviceTime } = decoded
  const isLast = frames.at(-1)?.decoded === decoded
  return {
    values: sample?.values ?? {},
    ...plantOf(known),
    socMinPct: known.socMinPct ?? 10,
    clockOffS: deviceTime && isLast ? (deviceTime.getTime() - receivedAt.getTime()) / 1000 : null,
    startsInHour: starts.length,
    ...(limits ? { limits } : {}),
  }
}

type Standing = { memory: WarningMemory; open: Map<string, OpenWarning>; overrides: ReadonlyMap<string, Override> }

async function observeFrame(db: Queryable, reading: Reading, frame: StoredFrame, standing: Standing): Promise<void> {
  const { batch, known, starts } = reading
  const { board, receivedAt } = batch
  const { sample } = frame.decoded
  const { open } = standing
  const place: Place = { controlPcbId: board.controlPcbId, essId: board.essId }
  const atMs = sample?.at.getTime() ?? receivedAt.getTime()
  const evaluation = evaluate(sampleRules, { facts: factsOf(reading, frame), atMs, ...standing })
  const evidence: Evidence = {
    packageId: frame.id,
    snapshot: sample ? snapshotOf(sample) : null,
    suppressed: known.maintained,
  }
  for (const finding of evaluation.raised) {
    await raiseWarning(db, place, finding, evidence, receivedAt)
    open.set(finding.code, finding)
  }
  await clearWarnings(db, place, evaluation.cleared, receivedAt)
  for (const code of evaluation.cleared) open.delete(code)
  await noteSeen(db, evaluation, known.open ?? [], receivedAt)
  standing.memory = memoryOf(evaluation.pending, starts)
}

const isNews = ({ decoded: { status, reasons } }: StoredFrame) =>
  status !== 'INVALID' && !reasons.some(({ code }) => code === 'OUT_OF_ORDER')

/** Holds every sample of a board against the rules, and its clock and its starts too. A late sample is no news of the present. */
export const observeSamples: FrameObserver = async (db, batch) => {
  const news = batch.frames.filter(isNews)
  if (news.length === 0) return
  const known = await knownOf(db, batch)
  if (!known) return
  const before = known.memory ?? {}
  const open = new Map<string, OpenWarning>((known.open ?? []).map((one) => [one.code, one]))
  const standing: Standing = { memory: before, open, overrides: overridesOf(known.overrides) }
  const reading: Reading = { batch, known, limits: limitsOf(known.limits), starts: startsOf(batch, before) }
  for (const frame of news) await observeFrame(db, reading, frame, standing)
  await writeMemory(db, batch.board.controlPcbId, known.memory, standing.memory)
}
