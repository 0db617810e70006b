import { sql } from 'kysely'
import { z } from 'zod'
import {
  levelFaults,
  type Threshold,
  type ThresholdDirection,
  type ThresholdEffect,
} from '#resources/fleet/warnings/threshold.ts'
import { type Standard, warningCodes } from '#resources/fleet/warnings/warning-codes.ts'
import { dayS } from '#schema/format/durations.ts'
import { fleetStaff } from '#schema/roles.ts'
import { filled, type Label } from '#schema/words.ts'
import { takeLock } from '#server/base/advisory-locks.ts'
import { invalid, problem, type ShownFault } from '#server/base/problems.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import type { ResourceRules, Work } from '#server/engine/records/resource-rules.ts'
import { asAnswered } from '#server/engine/routes/record-routes.ts'
import { type Limit, type Limits, limitKeyOf, standardByKey } from './limits.ts'
import { previewThreshold } from './threshold-preview.ts'

const number = z.number().min(-100_000).max(100_000)
const bounds = { raise: number, clear: number }
const levelSchema = z.strictObject({
  severity: z.enum(['INFO', 'WARNING', 'CRITICAL']),
  ...bounds,
  under: z
    .strictObject(bounds)
    .meta({ description: 'Of a range: the distances below its centre; default: those above it' })
    .exactOptional(),
})
const longestDelayS = 7 * dayS
const limitSchema = z.strictObject({
  delayS: z.number().int().min(0).max(longestDelayS),
  levels: z.array(levelSchema).min(1).max(3),
  version: z.number().int().min(0),
})
const params = z.object({ key: z.string().max(64) })

/** Without a limit it was brought back to its standard. */
type Stored = { key: string; limit: Limit | null; version: number; updatedAt: string; updatedBy: string | null }

const limitOf = ({ delayS, levels }: Standard): Limit => ({
  delayS,
  levels: levels.map(({ severity, raise, clear, under }) => ({ severity, raise, clear, ...(under ? { under } : {}) })),
})

function thresholdOf(standard: Standard, stored: Stored | undefined): Threshold {
  const { code, chemistry, unit, direction } = standard
  const usual = limitOf(standard)
  return {
    key: limitKeyOf(standard),
    code,
    title: warningCodes[code],
    chemistry,
    unit,
    direction: directionOf(standard),
    around: typeof direction === 'string' ? null : direction.around,
    ...(stored?.limit ?? usual),
    standard: usual,
    version: stored?.version ?? 0,
    updatedAt: stored?.updatedAt ?? null,
    updatedBy: stored?.updatedBy ?? null,
  }
}

const storedThresholds = (db: Queryable): Promise<Stored[]> =>
  rowsOf(
    db,
    sql<Stored>`select "key", "version", "updatedAt", "updatedBy",
      case when "levels" is not null then json_build_object('delayS', "delayS", 'levels', "levels") end as "limit" from "warningThreshold"`,
  )

const limitsSet = async (db: Queryable): Promise<Limits> =>
  new Map((await storedThresholds(db)).flatMap(({ key, limit }) => (limit ? [[key, limit] as const] : [])))

async function thresholds(db: Queryable): Promise<Threshold[]> {
  const stored = new Map((await storedThresholds(db)).map((row) => [row.key, row]))
  return [...standardByKey].map(([key, standard]) => thresholdOf(standard, stored.get(key)))
}

async function thresholdFor(key: string, db: Queryable): Promise<Threshold> {
  const found = (await thresholds(db)).find((threshold) => threshold.key === key)
  if (!found) throw problem('not-found')
  return found
}

const oneSided: Label = ['Only a range has bounds below its centre', 'Пороги ниже середины есть только у диапазона']

const labels: Readonly<Record<'raise' | 'clear' | 'under' | 'levels', Label>> = {
  raise: ['Raise at', 'Поднять при'],
  clear: ['Clear at', 'Снять при'],
  under: ['Below', 'Ниже'],
  levels: ['Levels', 'Уровни'],
}
const fault = (path: string, label: Label, text: Label): ShownFault => ({ path, code: 'rule', label, text })

const directionOf = ({ direction }: Standard): ThresholdDirection => (typeof direction === 'string' ? direction : 'around')

function faultsOf(standard: Standard, { levels }: Limit): ShownFault[] {
  const names = standard.levels.map(({ severity }) => severity)
  if (levels.map(({ severity }) => severity).join() !== names.join()) {
    return [
      fault('levels', labels.levels, filled(['Give exactly {names}', 'Нужны ровно {names}'], { names: names.join(', ') })),
    ]
  }
  const direction = directionOf(standard)
  const sided = direction === 'around' ? -1 : levels.findIndex(({ under }) => under)
  if (sided >= 0) return [fault(`levels.${sided}.under`, labels.under, oneSided)]
  return levelFaults(direction, levels).map(({ index, path, text }) =>
    fault(`levels.${index}.${path}`, labels[path.endsWith('raise') ? 'raise' : 'clear'], text),
  )
}

type Change = { key: string; before: Threshold; after: Limit; action: 'set-threshold' | 'reset-threshold' }

const note = ({ audit }: Work, { key, before, after, action }: Change) =>
  audit({
    action,
    entityType: 'warning-threshold',
    entityId: key,
    code: key,
    before: { delayS: before.delayS, levels: before.levels },
    after: { delayS: after.delayS, levels: after.levels },
  })

/** Serialised: two concurrent first writes of a threshold would both find none. */
const oneByOne = ({ db }: Work) => takeLock(db, 'thresholds')

async function store(key: string, { version, ...limit }: z.infer<typeof limitSchema>, work: Work): Promise<void> {
  const standard = standardByKey.get(key)
  await oneByOne(work)
  const before = await thresholdFor(key, work.db)
  if (!standard) throw problem('not-found')
  if (version !== before.version) throw problem('stale-version', { current: before })
  const faults = faultsOf(standard, limit)
  if (faults.length > 0) throw invalid(faults)
  const values = [limit.delayS, JSON.stringify(limit.levels), work.now, work.caller.userId] as const
  await sql`insert into "warningThreshold" ("key", "delayS", "levels", "updatedAt", "updatedBy")
    values (${key}, ${values[0]}, ${values[1]}::jsonb, ${values[2]}, ${values[3]}) on conflict ("key") do update set "delayS" = excluded."delayS",
      "levels" = excluded."levels", "updatedAt" = excluded."updatedAt", "updatedBy" = excluded."updatedBy",
      "version" = "warningThreshold"."version" + 1`.execute(work.db)
  await note(work, { key, before, after: limit, action: 'set-threshold' })
}

async function preview(key: string, limit: Limit, { db }: Work): Promise<ThresholdEffect> {
  const [standard, threshold] = [standardByKey.get(key), await thresholdFor(key, db)]
  const faults = standard ? faultsOf(standard, limit) : []
  if (faults.length > 0) throw invalid(faults)
  return previewThreshold(db, { threshold, stored: await limitsSet(db), levels: limit.levels })
}

async function reset(key: string, work: Work): Promise<void> {
  await oneByOne(work)
  const before = await thresholdFor(key, work.db)
  const reset = await rowOf(
    work.db,
    sql`update "warningThreshold" set "delayS" = null, "levels" = null, "version" = "version" + 1, "updatedAt" = ${work.now},
      "updatedBy" = ${work.caller.userId} where "key" = ${key} and "levels" is not null returning 1`,
  )
  if (reset) await note(work, { key, before, after: before.standard, action: 'reset-threshold' })
}

const admin = ['admin'] as const
const tags = ['telemetry-warning']
const limitAnswer = limitSchema.omit({ version: true })
const thresholdAnswer: z.ZodType = limitSchema.extend({
  key: z.string(),
  code: z.string(),
  title: z.array(z.string()).meta({ description: 'In English and in Russian' }),
  chemistry: z.string().nullable(),
  unit: z.string(),
  direction: z.enum(['above', 'below', 'around']),
  around: z.number().nullable(),
  standard: limitAnswer,
  updatedAt: z.string().nullable(),
  updatedBy: z.string().nullable(),
})
const place = z.object({ id: z.string(), code: z.string() })
const severity = z.enum(['INFO', 'WARNING', 'CRITICAL']).nullable()
const effectAnswer: z.ZodType = z.object({
  boards: z.int(),
  begin: z.int(),
  end: z.int(),
  change: z.int(),
  examples: z.array(z.object({ board: place, ess: place.nullable(), value: z.number(), from: severity, to: severity })),
})
const one = { response: { 200: thresholdAnswer } }

/** Fleet-wide thresholds: reference data, readable for fleet staff and set by admins. */
export const thresholdRoutes: NonNullable<ResourceRules['routes']> = (api, { withoutTransaction, transact }) => {
  api.get(
    '/warning-threshold',
    {
      schema: {
        summary: 'Thresholds of warnings, each with its standard',
        tags,
        response: { 200: z.array(thresholdAnswer) },
      },
      config: { access: fleetStaff },
      ...asAnswered,
    },
    (request) => withoutTransaction(request, ({ db }) => thresholds(db)),
  )
  api.put(
    '/warning-threshold/:key',
    {
      schema: { summary: 'Set a threshold for the fleet', tags, params, body: limitSchema, ...one },
      config: { access: admin },
      ...asAnswered,
    },
    (request) =>
      transact(request, async (work) => {
        await store(request.params.key, request.body, work)
        return thresholdFor(request.params.key, work.db)
      }),
  )
  api.post(
    '/warning-threshold/:key/preview',
    {
      schema: {
        summary: 'What another threshold would change by the newest samples',
        tags,
        params,
        body: limitSchema,
        response: { 200: effectAnswer },
      },
      config: { access: admin },
      ...asAnswered,
    },
    (request) => withoutTransaction(request, (work) => preview(request.params.key, request.body, work)),
  )
  api.delete(
    '/warning-threshold/:key',
    {
      schema: { summary: 'Bring a threshold back to its standard', tags, params, ...one },
      config: { access: admin },
      ...asAnswered,
    },
    (request) =>
      transact(request, async (work) => {
        await reset(request.params.key, work)
        return thresholdFor(request.params.key, work.db)
      }),
  )
}
