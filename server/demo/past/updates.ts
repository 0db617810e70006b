import { sql } from 'kysely'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import { insertRows } from '#server/db/insert-rows.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Random } from '#server/demo/random.ts'
import { isPlayed } from '#server/demo/simulator/load-fleet.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { noted, type Source } from '#server/fleet/firmware/updates/update-store.ts'

type Board = {
  id: string
  code: string
  essId: string
  createdAt: string
  fromVersion: string
  toVersion: string
  firmwareId: string
}

/** Boards that run what they once were updated to, with the version before. */
const updatedBoards = (db: Queryable): Promise<Board[]> =>
  rowsOf(
    db,
    sql<Board>`select "b"."id", "b"."code", "b"."essId", "b"."createdAt", "s"."previousVersion" as "fromVersion",
        "s"."firmwareVersion" as "toVersion", "f"."id" as "firmwareId"
      from "control_pcb" "b" join "boardState" "s" on "s"."controlPcbId" = "b"."id"
      join "firmware" "f" on "f"."firmwareVersion" = "s"."firmwareVersion"
      where ${isPlayed} and "s"."previousVersion" is not null
        and not exists (select 1 from "firmware_update" "u" where "u"."controlPcbId" = "b"."id") order by "b"."code"`,
  )

type Step = {
  afterMin: number
  from: string | null
  to: string
  progressPct: number
  source: Source
  note?: Parameters<typeof noted>[0]
}

const steps = (toVersion: string): readonly Step[] => [
  { afterMin: 0, from: null, to: 'QUEUED', progressPct: 0, source: 'USER', note: { code: 'ATTEMPT', values: { attempt: 1 } } },
  { afterMin: 1, from: 'QUEUED', to: 'DOWNLOADING', progressPct: 0, source: 'BOARD' },
  { afterMin: 2, from: 'DOWNLOADING', to: 'VERIFYING', progressPct: 100, source: 'BOARD' },
  { afterMin: 2.1, from: 'VERIFYING', to: 'INSTALLING', progressPct: 100, source: 'BOARD' },
  { afterMin: 2.4, from: 'INSTALLING', to: 'REBOOTING', progressPct: 100, source: 'BOARD' },
  { afterMin: 2.8, from: 'REBOOTING', to: 'CONFIRMING', progressPct: 100, source: 'SERVER', note: { code: 'STARTED' } },
  {
    afterMin: 13,
    from: 'CONFIRMING',
    to: 'SUCCEEDED',
    progressPct: 100,
    source: 'SERVER',
    note: { code: 'CONFIRMED', values: { packets: 11, version: toVersion } },
  },
]
const failing: readonly Step[] = [
  ...steps('').slice(0, 2),
  {
    afterMin: 1.6,
    from: 'DOWNLOADING',
    to: 'FAILED',
    progressPct: 62,
    source: 'BOARD',
    note: { code: 'REPORTED', values: { failure: 'CHECKSUM' } },
  },
]

type Made = { board: Board; atMs: number; requestedBy: string; random: Random; rollout?: { id: string; wave: number } }

function updateOf({ board, atMs, requestedBy, random, rollout }: Made, course: readonly Step[], attempt: number): Row {
  const timeOf = ({ afterMin }: Step) => new Date(atMs + afterMin * minuteMs)
  const last = course.at(-1) ?? steps('')[0]
  const endedAt = last ? timeOf(last) : new Date(atMs)
  const hasFailed = last?.to === 'FAILED'
  return {
    id: random.id(new Date(atMs)),
    createdAt: new Date(atMs),
    updatedAt: endedAt,
    createdBy: requestedBy,
    updatedBy: requestedBy,
    version: course.length,
    controlPcbId: board.id,
    essId: board.essId,
    firmwareId: board.firmwareId,
    fromVersion: board.fromVersion,
    toVersion: board.toVersion,
    kind: 'UPGRADE',
    status: last?.to,
    progressPct: last?.progressPct,
    confirmedPackets: hasFailed ? null : 11,
    attempt,
    maxAttempts: 3,
    retried: hasFailed,
    failureCode: hasFailed ? 'CHECKSUM' : null,
    failureMessage: hasFailed ? noted(last?.note).message : null,
    requestedBy,
    stateSince: endedAt,
    progressAt: endedAt,
    finishedAt: endedAt,
    rolloutId: rollout?.id ?? null,
    wave: rollout?.wave ?? null,
    events: course.map(({ afterMin: _, note, ...step }) => ({
      ...step,
      at: new Date(atMs + _ * minuteMs).toISOString(),
      ...noted(note),
    })),
  }
}

/** An update that succeeded, one in twelve at its second attempt. */
function attemptsOf(made: Made): Row[] {
  const { board, atMs, random } = made
  if (!random.chance(1 / 12)) return [updateOf(made, steps(board.toVersion), 1)]
  const first = updateOf(made, failing, 1)
  const second = updateOf({ ...made, atMs: atMs + 12 * minuteMs }, steps(board.toVersion), 2)
  return [first, { ...second, retryOfId: first.id }]
}

const waves = [
  { boards: 1, sharePct: null, soakMin: 60, successPct: 90, maxFailures: null },
  { boards: null, sharePct: 10, soakMin: 60, successPct: 90, maxFailures: null },
  { boards: null, sharePct: 100, soakMin: 60, successPct: 90, maxFailures: null },
]
const waveOf = (index: number, count: number) => (index === 0 ? 1 : index < 1 + Math.ceil(count / 10) ? 2 : 3)
const waveStartsMin = [0, 80, 190]

type Asking = { random: Random; now: Date; by: string }

/** A rollout that is over, with the updates of its boards. */
async function finishedRollout(db: Queryable, boards: readonly Board[], { random, now, by }: Asking): Promise<Row[]> {
  const startedMs = now.getTime() - 48 * dayMs
  const [first] = boards
  if (!first) return []
  const id = random.id(new Date(startedMs))
  const updates = boards.flatMap((board, index) => {
    const wave = waveOf(index, boards.length)
    const atMs = startedMs + ((waveStartsMin[wave - 1] ?? 0) + index / 2) * minuteMs
    return attemptsOf({ board, atMs, requestedBy: by, random, rollout: { id, wave } })
  })
  const finishedAt = new Date(startedMs + (190 + 60 + boards.length) * minuteMs)
  const base = {
    id,
    version: 6,
    createdAt: new Date(startedMs - 20 * minuteMs),
    updatedAt: finishedAt,
    createdBy: by,
    updatedBy: by,
  }
  await insertRows(db, 'rollout', [
    {
      ...base,
      name: `${first.toVersion}: radio driver`,
      firmwareId: first.firmwareId,
      status: 'FINISHED',
      waves,
      wave: 3,
      waveSince: new Date(startedMs + 190 * minuteMs),
      acceptedFailures: 0,
      startedAt: new Date(startedMs),
      finishedAt,
    },
  ])
  const targets = boards.map((board, index) => ({
    rolloutId: id,
    controlPcbId: board.id,
    wave: waveOf(index, boards.length),
    state: 'REQUESTED',
  }))
  await insertRows(db, 'rolloutTarget', targets)
  return updates
}

/** Days ago in which a version came to boards one by one. */
const spans: Readonly<Record<string, readonly [number, number]>> = { '1.9.4': [6, 85], '2.1.3': [3, 40], '2.2.0': [1, 18] }

/** The updates that brought boards to what they run: a rollout, and single ones since. */
export async function pastUpdates(db: Queryable, asking: Asking): Promise<void> {
  const { random, now, by } = asking
  const all = (await updatedBoards(db)).filter(({ createdAt }) => Date.parse(createdAt) < now.getTime() - 90 * dayMs)
  const isOfRollout = ({ toVersion }: Board, index: number) => toVersion === '2.1.3' && index % 3 !== 0
  const updates = await finishedRollout(db, all.filter(isOfRollout), asking)
  for (const board of all.filter((one, index) => !isOfRollout(one, index))) {
    const [least, most] = spans[board.toVersion] ?? [1, 80]
    const atMs = now.getTime() - random.int(least * 24 * 60, most * 24 * 60) * minuteMs
    updates.push(...attemptsOf({ board, atMs, requestedBy: by, random }))
  }
  await insertRows(db, 'firmware_update', updates)
}
