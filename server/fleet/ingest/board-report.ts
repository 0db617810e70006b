import { type RawBuilder, sql } from 'kysely'
import { minuteMs } from '#schema/format/durations.ts'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { channels } from '#server/frames/channels.ts'
import { type DecodedFrame, isRead, type Sample } from '#server/frames/frame-decoder.ts'
import type { Value } from '#server/frames/wire-field.ts'
import type { Board } from './board-context.ts'
import { provenOffsetMs } from './clock-offset.ts'

/** Changed columns of `boardState`. */
type Change = Record<string, unknown>

const isObject = (value: Value | undefined): value is { readonly [key: string]: Value } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Column of `boardState` by frame field. */
const statusColumns = {
  transport: 'transport',
  rssiDbm: 'rssiDbm',
  uptimeS: 'uptimeS',
  rebootCount: 'rebootCount',
  resetReason: 'lastResetReason',
  supplyMv: 'supplyMv',
  boardTempC: 'boardTempC',
  freeHeapB: 'freeHeapB',
} as const

const given = (entries: readonly (readonly [string, Value | undefined])[]): Change =>
  Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined))

function statusOf({ values, reasons }: DecodedFrame): Change {
  const doubted = new Set(reasons.filter(({ severity }) => severity !== 'NOTE').map(({ field }) => field))
  return given(Object.entries(statusColumns).map(([field, column]) => [column, doubted.has(field) ? null : values[field]]))
}

function firmwareOf(version: Value | undefined, known: unknown, receivedAt: Date): Change {
  if (typeof version !== 'string') return {}
  const change = { firmwareVersion: version, firmwareReportedAt: receivedAt }
  return typeof known === 'string' && known !== version ? { ...change, previousVersion: known } : change
}

const intervalOf = (configuration: { readonly [key: string]: Value }): Change => {
  const { reportIntervalS } = configuration
  const isUsable = typeof reportIntervalS === 'number' && Number.isInteger(reportIntervalS) && reportIntervalS > 0
  return isUsable && reportIntervalS <= 3600 ? { reportIntervalS } : {}
}

type Outcome = (values: DecodedFrame['values'], receivedAt: Date) => Change

const applied: Outcome = ({ configVersion }, receivedAt) => ({
  reportedVersion: configVersion,
  appliedAt: receivedAt,
  rejectedVersion: null,
  rejectReason: null,
})
const outcomes: Readonly<Record<string, Outcome>> = {
  APPLIED: applied,
  REJECTED: ({ configVersion, rejectReason }) => ({ rejectedVersion: configVersion, rejectReason }),
  REPORTED: ({ configVersion }) => given([['reportedVersion', configVersion]]),
}

/** Configuration report of a board, in a frame or by a call. */
export function configurationChange(values: DecodedFrame['values'], receivedAt: Date): Change {
  const { result, configuration } = values
  const outcome = outcomes[String(result)]?.(values, receivedAt) ?? {}
  return isObject(configuration) ? { ...outcome, reported: configuration, ...intervalOf(configuration) } : outcome
}

const bootOf = ({ values }: DecodedFrame): Change =>
  given([
    ['bootloaderVersion', values.bootloaderVersion],
    ['previousVersion', values.previousVersion],
  ])

const ofType: Readonly<Record<string, (frame: DecodedFrame, receivedAt: Date) => Change>> = {
  CONFIG_ACK: ({ values }, receivedAt) => configurationChange(values, receivedAt),
  BOOT: bootOf,
}

/** Every channel of a sample for display: value, unit and quality. */
function shownSample({
  values,
  doubted,
  quality: whole,
}: Sample): Record<string, { value: unknown; unit: string | null; quality: string }> {
  return Object.fromEntries(
    channels.map(({ name, unit }) => {
      const value = values[name] ?? null
      const sound = whole === 'ESTIMATED' ? whole : 'GOOD'
      const quality = doubted.includes(name) ? 'DOUBTED' : value === null ? 'MISSING' : sound
      return [name, { value, unit: unit ?? null, quality }]
    }),
  )
}

const old = new Set<string>(['OUT_OF_ORDER', 'CLOCK_PAST', 'CLOCK_FUTURE'])

/** False when a later frame was received before, or may have been: without a correct time that is unknown. */
export const hasNewData = ({ status, reasons }: Pick<DecodedFrame, 'status' | 'reasons'>) =>
  isRead({ status }) && !reasons.some(({ code }) => old.has(code))

/** For this time a sample dated by its arrival does not replace one with a known time. */
const knownForMs = 15 * minuteMs

/**
 * The newest sample by the board's clock. Samples without a correct clock are dated by their arrival and marked, also when the
 * clock was wrong for a while only.
 */
function sampleOf(frames: readonly DecodedFrame[], { lastSampleAt, isEstimated }: Board, receivedAt: Date): Change {
  const samples = frames.flatMap(({ sample }) => sample ?? [])
  const known = samples.filter(({ quality }) => quality !== 'ESTIMATED')
  const newest = known.toSorted((a, b) => b.at.getTime() - a.at.getTime())[0]
  const lastMs = lastSampleAt === null ? Number.NEGATIVE_INFINITY : Date.parse(lastSampleAt)
  if (newest && (newest.at.getTime() >= lastMs || isEstimated))
    return { lastSampleAt: newest.at, sample: shownSample(newest), isEstimated: false }
  const estimated = samples.findLast(({ quality }) => quality === 'ESTIMATED')
  if (newest || !estimated || (!isEstimated && receivedAt.getTime() - lastMs < knownForMs)) return {}
  return { lastSampleAt: receivedAt, sample: shownSample(estimated), isEstimated: true }
}

type Reception = { receivedAt: Date; sentAtMs: number | undefined; isLast?: boolean }

/**
 * State changes from a board's frames. A frame of an unknown version counts as a contact. Late frames add samples but do not
 * change the state.
 */
export function boardReport(
  frames: readonly DecodedFrame[],
  board: Board,
  { receivedAt, sentAtMs, isLast = true }: Reception,
): Change {
  const sound = frames.filter(({ status }) => status !== 'INVALID')
  const change: Change = sound.length > 0 ? { lastValidPacketAt: receivedAt } : {}
  for (const frame of sound.filter(hasNewData)) {
    const known = change.firmwareVersion ?? board.firmwareVersion
    Object.assign(
      change,
      statusOf(frame),
      firmwareOf(frame.values.firmwareVersion, known, receivedAt),
      ofType[frame.type]?.(frame, receivedAt),
    )
  }
  const inOrder = sound.filter(({ reasons }) => !reasons.some(({ code }) => code === 'OUT_OF_ORDER'))
  const clockOffsetMs = provenOffsetMs(isLast ? inOrder.at(-1)?.deviceTime : undefined, receivedAt, sentAtMs)
  return { ...change, ...(clockOffsetMs === undefined ? {} : { clockOffsetMs }), ...sampleOf(sound, board, receivedAt) }
}

type Reported = { controlPcbId: string; change: Change }

/** Writes reports with the same columns in one statement. */
function sameColumnsSql(names: readonly string[], reported: readonly Reported[]): RawBuilder<unknown> {
  const columns = sql.join(['controlPcbId', ...names].map((name) => sql.id(name)))
  const rows = JSON.stringify(reported.map(({ controlPcbId, change }) => ({ ...change, controlPcbId })))
  const settings = sql.join(names.map((name) => sql`${sql.id(name)} = excluded.${sql.id(name)}`))
  return sql`${prepared} insert into "boardState" (${columns})
    select ${columns} from jsonb_populate_recordset(null::"boardState", ${rows}::jsonb) order by "controlPcbId"
    on conflict ("controlPcbId") do update set ${settings}`
}

/** Writes what boards reported, one statement per set of columns. */
export async function writeReports(db: Queryable, reported: readonly Reported[]): Promise<void> {
  const alike = new Map<string, Reported[]>()
  for (const one of reported) {
    const names = Object.keys(one.change).toSorted().join(' ')
    alike.set(names, [...(alike.get(names) ?? []), one])
  }
  const changed = [...alike].filter(([names]) => names)
  await Promise.all(changed.map(([names, rows]) => rowsOf(db, sameColumnsSql(names.split(' '), rows))))
}
