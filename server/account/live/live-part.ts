import { z } from 'zod'
import { minuteMs } from '#schema/format/durations.ts'
import { sessionEvents } from '#server/account/session/session-events.ts'
import { bearerToken, hashToken } from '#server/account/session/token.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { eventChannel } from '#server/db/events/event-channel.ts'
import { fileAnswer } from '#server/engine/docs/described-answers.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { deviceLabel } from '#server/notify/device-label.ts'
import { touchDevices } from '#server/notify/device-store.ts'
import { pruneEvents } from './event-store.ts'
import { openingFrame } from './live-frame.ts'
import { LiveHub, type LiveLimits, liveLimits } from './live-hub.ts'
import { createReaders } from './live-readers.ts'
import { LiveStream } from './live-stream.ts'
import { beatMs } from './stream-places.ts'

/** Interval for noticing sessions ended by another process, in milliseconds. */
const reviewMs = 3_000
const pingMs = 20_000
const pruneMs = minuteMs

/** Response header of a session's reads: an event stream can resume from there without refetching. */
const eventIdHeader = 'x-event-id'

const streamQuery = z.strictObject({
  mostPerS: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .transform(Number)
    .optional()
    .describe('Changes told one by one in a second, 1 to 999; further ones are merged into one `merged` with their resources'),
})

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // A stream is the last request on its connection, so shutdown need not wait for it.
  connection: 'close',
}

function eventsRoute(api: Api, hub: LiveHub, { database, clock }: ServerContext): void {
  api.get(
    '/events',
    {
      config: { access: 'user' },
      // A HEAD request would open a stream without a client.
      exposeHeadRoute: false,
      schema: {
        summary: 'Changes as they happen (text/event-stream); `Last-Event-ID` resumes, `reset` tells of a gap',
        tags: ['live'],
        querystring: streamQuery,
        response: { 200: fileAnswer('text/event-stream', 'One event a frame, as it happens') },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const givePlace = await hub.places.take(caller.userId)
      reply.hijack()
      const { raw } = reply
      const tokenHash = hashToken(bearerToken(request.headers.authorization) ?? '')
      const { mostPerS } = request.query
      const stream = new LiveStream(raw, { caller, tokenHash, mostPerS })
      stream.onClose(givePlace)
      raw.socket?.setNoDelay(true)
      for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...streamHeaders })) raw.setHeader(name, value ?? '')
      // The first byte flushes the headers.
      stream.write(openingFrame)
      const lastEventId = request.headers['last-event-id']
      try {
        await hub.join(stream, Array.isArray(lastEventId) ? lastEventId[0] : lastEventId)
        // The stream counts from its join: nothing may run between the headers and the join.
        const label = deviceLabel(request.headers['user-agent'])
        await touchDevices(database.kysely, { userId: caller.userId, label, now: clock() })
      } catch (error) {
        request.log.warn({ err: error }, 'a live stream could not begin')
        stream.end()
      }
    },
  )
}

async function startHub(hub: LiveHub, { database, clock, log }: ServerContext): Promise<() => Promise<void>> {
  const pump = () => void hub.attempt(() => hub.pump())
  const prune = () =>
    pruneEvents(database.kysely, clock()).catch((error: unknown) => log.warn({ err: error }, 'old events not removed'))
  await prune()
  const reconnected = () => void hub.attempt(() => hub.reconnected())
  const unlisten = await database.listen(eventChannel, { message: pump, reconnected })
  pump()
  const review = () =>
    void hub.attempt(async () => {
      await hub.review()
      if (hub.size > 0) await hub.pump()
    })
  const beat = () => void hub.attempt(() => hub.places.beat())
  beat()
  const timers = [
    setInterval(review, reviewMs),
    setInterval(() => hub.ping(), pingMs),
    setInterval(() => void prune(), pruneMs),
    setInterval(beat, beatMs),
  ]
  for (const timer of timers) timer.unref()
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await unlisten()
    await hub.places.close()
  }
}

/** `GET /events`: changes of records that the caller may read, and the caller's notifications. */
export function livePart(rules: RulesByResource, limits: Partial<LiveLimits> = {}): ServerPart {
  const hubs = new WeakMap<ServerContext, LiveHub>()
  const hubOf = (context: ServerContext): LiveHub => {
    const readers = createReaders({ definitions: context.definitions, rules, clock: context.clock })
    const hub = hubs.get(context) ?? new LiveHub(context, readers, { ...liveLimits, ...limits })
    hubs.set(context, hub)
    return hub
  }
  return {
    name: 'live',
    register(api, context) {
      const hub = hubOf(context)
      context.metrics.gauge({ name: 'ess_live_streams', help: 'Open event streams' }, (gauge) => gauge.set(hub.size))
      const end = hub.endOf.bind(hub)
      sessionEvents.on('ended', end)
      // Streams do not end on their own, so they are closed before the server waits for open responses.
      api.addHook('preClose', async () => {
        sessionEvents.off('ended', end)
        hub.close()
      })
      api.addHook('preHandler', async ({ method, caller }, reply) => {
        const eventId = method === 'GET' && caller ? hub.eventId() : undefined
        if (eventId) reply.header(eventIdHeader, eventId)
      })
      eventsRoute(api, hub, context)
    },
    start: (context) => startHub(hubOf(context), context),
  }
}
