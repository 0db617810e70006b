import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { dayMs, hourMs } from '#schema/format/durations.ts'
import { fleetStaff } from '#schema/roles.ts'
import { filled } from '#schema/words.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { invalid, problem, type ShownFault } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import type { Database } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit } from '#server/engine/audit/audit-entry.ts'
import { fileAnswer } from '#server/engine/docs/described-answers.ts'
import { channelOf, type NamedChannel } from '#server/frames/channels.ts'
import { type Bucket, bucketOf, isOfSamples, mostPoints, notAfterStart } from './bucket-rule.ts'
import { exportBuckets } from './export-buckets.ts'
import { exportSamples } from './export-samples.ts'
import { readSeries } from './read-series.ts'
import { chartChannels } from './sample-columns.ts'
import { spacingOf } from './sample-spacing.ts'
import { bridgeJitter, seriesAnswer } from './series-answer.ts'
import { type Subject, subjectOf } from './telemetry-subject.ts'
import { clip } from './windows.ts'

const yearMs = 366 * dayMs

const id = z.uuid().optional()
const moment = z
  .union([z.iso.datetime({ offset: true }), z.string().regex(/^\d{1,15}$/)])
  .transform((text) => new Date(/^\d+$/.test(text) ? Number(text) : text))
  .meta({ description: 'ISO 8601, or milliseconds since 1970' })
const names = z
  .union([z.string(), z.array(z.string()).max(50)])
  .transform((given) => [given].flat())
  .meta({ description: 'Name of a channel; repeated for several' })

const shared = { controlPcbId: id, essId: id, from: moment, to: moment, channel: names.optional() }
const seriesQuery = z.strictObject({
  ...shared,
  channel: names,
  points: z
    .string()
    .regex(/^\d{1,4}$/)
    .transform(Number)
    .pipe(z.int().min(2).max(mostPoints))
    .optional()
    .meta({ description: `How many points a series may have, at most ${mostPoints}` }),
})
const bucketsOf = {
  '5m': { stepMs: 300_000 },
  '1h': { stepMs: hourMs },
  '1d': { days: 1 },
  month: { days: 31, isMonth: true },
} as const satisfies Record<string, Bucket>
const exportQuery = z.strictObject({
  ...shared,
  format: z.literal('csv').default('csv'),
  resolution: z.enum(['samples', '5m', '1h', '1d', 'month']).default('samples'),
})

const values = z.array(z.union([z.number(), z.string(), z.null()]))
const series = z.object({
  unit: z.string().nullable(),
  kind: z.enum(['mean', 'counter', 'state', 'flags']),
  t: z.array(z.number()),
  avg: values,
  min: z.array(z.number().nullable()),
  max: z.array(z.number().nullable()),
})
const seriesAnswered = z.object({
  from: z.number(),
  to: z.number(),
  bucketMs: z.number(),
  zone: z.string(),
  estimatedPct: z.array(z.number().nullable()).meta({
    description: 'Share of each bucket in percent in which the board was silent: counters are shared over it by time',
  }),
  series: z.record(z.string(), series),
})

type Query = { controlPcbId?: string | undefined; essId?: string | undefined; from: Date; to: Date }

const subjectFault = ['Name one board or one ESS', 'Укажите одну плату или одну СНЭ'] as const
const rangeFault = (years: number) =>
  filled(['Ends after its start, at most {years} years on', 'Конец позже начала, не больше {years} лет'], { years })
/** Maximum years per answer. Small buckets are read in chunks, including gaps. */
const mostYears = { chart: 20, samples: 20, '5m': 5, '1h': 20, '1d': 20, month: 20 } as const

type Asked = { channels: readonly string[]; allowed: readonly NamedChannel[]; years: number }

/** Cross-parameter faults. */
function checkQuery(query: Query, { channels, allowed, years }: Asked): NamedChannel[] {
  const { controlPcbId, essId, from, to } = query
  const found = [...new Set(channels)].map((name) => ({ name, channel: channelOf(name) }))
  const unknown = found.filter(({ channel }) => !channel || !allowed.includes(channel))
  const faults: ShownFault[] = [
    ...(!controlPcbId === !essId ? [{ path: 'controlPcbId', code: 'rule', text: subjectFault }] : []),
    ...(to <= from || to.getTime() - from.getTime() > years * yearMs
      ? [{ path: 'to', code: 'rule', text: rangeFault(years) }]
      : []),
    ...unknown.map(({ name }) => ({
      path: 'channel',
      code: 'not-a-choice',
      params: { key: name, choices: allowed.map((channel) => channel.name).join(', ') },
    })),
  ]
  if (faults.length > 0) throw invalid(faults)
  return found.flatMap(({ channel }) => channel ?? [])
}

function seriesRoute(api: Api, { database, clock }: ServerContext): void {
  const schema = {
    summary: 'Telemetry for a chart',
    tags: ['telemetry'],
    querystring: seriesQuery,
    response: { 200: seriesAnswered },
  }
  // The answer is built here from numbers: validating thousands of them would cost more than reading them.
  const serializerCompiler = () => (answer: unknown) => JSON.stringify(answer)
  api.get('/telemetry', { config: { access: fleetStaff }, schema, serializerCompiler }, async ({ query }) => {
    const { from, to, points = mostPoints } = query
    const channels = checkQuery(query, { channels: query.channel, allowed: chartChannels, years: mostYears.chart })
    const { zone, reportIntervalS, segments } = await subjectOf(database, query)
    const range = { fromMs: from.getTime(), toMs: to.getTime(), points, nowMs: clock().getTime() }
    const finest = bucketOf({ ...range, reportIntervalS })
    const spacingS = isOfSamples(finest) ? await spacingOf(database.kysely, clip(segments, { from, to })) : 0
    const intervalS = Math.max(reportIntervalS, spacingS)
    const bucket = bucketOf({ ...range, reportIntervalS: intervalS })
    const rows = await readSeries(database.kysely, { segments, channels, from, to, bucket, zone })
    return seriesAnswer(bridgeJitter(rows, intervalS * 1000), { to, bucket, zone, channels })
  })
}

async function recordExport({ database, clock }: ServerContext, { code }: Subject, request: FastifyRequest): Promise<void> {
  const { userId, role } = callerOf(request)
  const { essId, controlPcbId } = request.query as { essId?: string; controlPcbId?: string }
  const now = clock()
  await inTransaction(database, async (db) => {
    const { waitS } = await takeAttempt(db, [limits.exporting(userId)], now)
    if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
    await addAudit(db, {
      at: now,
      actorId: userId,
      role,
      action: 'export',
      entityType: 'telemetry',
      entityId: essId ?? controlPcbId,
      code,
      after: { ...Object(request.query) },
      requestId: request.id,
      ip: request.ip,
    })
  })
}

function exportRoute(api: Api, context: ServerContext): void {
  const { database } = context
  const schema = {
    summary: 'Telemetry as CSV: every sample, or rows of 5 minutes, an hour, a day or a month of the site',
    tags: ['telemetry'],
    querystring: exportQuery,
    response: { 200: fileAnswer('text/csv', 'A line for each sample or bucket') },
  }
  // A HEAD request would run the whole export, since the framework drains the stream.
  api.get('/telemetry/export', { config: { access: fleetStaff }, schema, exposeHeadRoute: false }, async (request, reply) => {
    const { query } = request
    const { from, to, resolution } = query
    const allowed = resolution === 'samples' ? [...chartChannels, ...placeChannels] : chartChannels
    const named = query.channel ?? allowed.map(({ name }) => name)
    const channels = checkQuery(query, { channels: named, allowed, years: mostYears[resolution] })
    const subject = await subjectOf(database, query)
    await recordExport(context, subject, request)
    const lines = linesOf(database, subject, { from, to, resolution, channels })
    const name = `${subject.code}_${from.toISOString().slice(0, 10)}_${to.toISOString().slice(0, 10)}.csv`
    reply.header('content-type', 'text/csv; charset=utf-8').header('content-disposition', `attachment; filename="${name}"`)
    return reply.send(Readable.from(lines))
  })
}

type Lines = { from: Date; to: Date; resolution: 'samples' | keyof typeof bucketsOf; channels: readonly NamedChannel[] }

function linesOf(database: Database, { zone, segments }: Subject, { from, to, resolution, channels }: Lines) {
  if (resolution === 'samples') return exportSamples(database, { segments: clip(segments, { from, to }), channels, zone })
  const bucket = bucketsOf[resolution]
  const start = 'days' in bucket ? from : notAfterStart(bucket, from)
  return exportBuckets(database, { segments, channels, zone, from: start, to, bucket })
}

const placeChannels = ['cellVoltageMinPos', 'cellVoltageMaxPos'].flatMap((name) => channelOf(name) ?? [])

/** Charts and exports of samples, for roles that may see every board. */
export function telemetryRoutes(api: Api, context: ServerContext): void {
  seriesRoute(api, context)
  exportRoute(api, context)
}
