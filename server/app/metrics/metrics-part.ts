import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { sql } from 'kysely'
import { collectDefaultMetrics } from 'prom-client'
import { explainListening } from '#server/app/try-out.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import { freeShareOf } from '#server/engine/http/disk-space.ts'

/** Tables of what waits to be sent. */
const queues = { mail: 'mailJob', push: 'pushJob', webhook: 'webhook_delivery' } as const

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Without a token everyone who reaches the port may read the metrics. */
const isAllowed = (header: string | undefined, token: string | undefined) =>
  token === undefined || timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))

function measureProcess({ metrics, database, config }: ServerContext) {
  collectDefaultMetrics({ register: metrics.registry })
  const { pool } = database
  metrics.gauge(
    { name: 'ess_db_connections', help: 'Connections of this process to its database by state', labelNames: ['state'] },
    (gauge) => {
      gauge.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      gauge.set({ state: 'idle' }, pool.idleCount)
    },
  )
  metrics.gauge({ name: 'ess_db_waiting', help: 'Callers that wait for a connection' }, (gauge) => gauge.set(pool.waitingCount))
  metrics.gauge({ name: 'ess_db_connections_max', help: 'Most connections of this process' }, (gauge) =>
    gauge.set(pool.options.max),
  )
  metrics.gauge({ name: 'ess_disk_free_ratio', help: 'Free share of the disk under the data folder' }, async (gauge) =>
    gauge.set(await freeShareOf(config.dataDir)),
  )
}

function measureQueues({ metrics, database, clock }: ServerContext) {
  const each = async (set: (queue: string, row: { jobs: number; ageS: number }) => void) => {
    for (const [queue, table] of Object.entries(queues)) {
      const [row] = await rowsOf(
        database.kysely,
        sql<{ jobs: number; ageS: number }>`select count(*) as "jobs",
          coalesce(greatest(extract(epoch from ${clock()}::timestamptz - min("dueAt")), 0), 0)::float8 as "ageS" from ${sql.table(table)}
          where "dueAt" is not null`,
      )
      if (row) set(queue, row)
    }
  }
  const labelNames = ['queue']
  metrics.gauge(
    { name: 'ess_queue_jobs', help: 'Mails, pushes and messages of webhooks that have not left', labelNames },
    (gauge) => each((queue, { jobs }) => gauge.set({ queue }, jobs)),
  )
  metrics.gauge({ name: 'ess_queue_overdue_seconds', help: 'How long the oldest of them is overdue', labelNames }, (gauge) =>
    each((queue, { ageS }) => gauge.set({ queue }, ageS)),
  )
}

function measureWebhooks({ metrics, database, clock }: ServerContext) {
  const open = async (state: 'HELD' | 'WAITING') => {
    const [row] = await rowsOf(
      database.kysely,
      sql<{ messages: number; ageS: number }>`select count(*)::int as "messages",
        coalesce(extract(epoch from ${clock()}::timestamptz - min("createdAt")), 0)::float8 as "ageS"
        from "webhook_delivery" where "state" = ${state}`,
    )
    return row ?? { messages: 0, ageS: 0 }
  }
  metrics.gauge({ name: 'ess_webhook_held_messages', help: 'Messages that wait for a paused webhook' }, async (gauge) =>
    gauge.set((await open('HELD')).messages),
  )
  metrics.gauge(
    { name: 'ess_webhook_undelivered_seconds', help: 'Age of the oldest message of a webhook that is tried again and again' },
    async (gauge) => gauge.set((await open('WAITING')).ageS),
  )
}

function registerRoute(api: Api, { metrics }: ServerContext, token: string) {
  api.get('/metrics', { config: { access: 'public', shed: 'never' }, schema: { hide: true } }, async (request, reply) => {
    if (!isAllowed(request.headers.authorization, token)) throw problem('not-signed-in')
    const { registry } = metrics
    return reply
      .type(registry.contentType)
      .serializer(String)
      .send(await registry.metrics())
  })
}

/** A separate port, which a proxy does not forward. */
async function listen({ metrics: { registry }, config }: ServerContext, port: number): Promise<Server> {
  const { host, metricsToken } = config
  const server = createServer((request, response) => {
    const isAsked = request.method === 'GET' && ['/metrics', '/api/metrics'].includes(request.url ?? '')
    const status = isAsked ? (isAllowed(request.headers.authorization, metricsToken) ? 200 : 401) : 404
    if (status !== 200) return void response.writeHead(status).end()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, host, done)).catch((error: unknown) =>
    explainListening(error, { host, port }, 'METRICS_PORT'),
  )
  return server
}

/** Figures of the running process for a collector: on a port of their own, or behind a token at /api/metrics. Off by default. */
export const metricsPart: ServerPart = {
  name: 'metrics',
  async register(api, context) {
    const { config } = context
    if (config.metricsPort === undefined && config.metricsToken === undefined) return
    measureProcess(context)
    measureQueues(context)
    measureWebhooks(context)
    if (config.metricsPort === undefined) return registerRoute(api, context, config.metricsToken ?? '')
    const server = await listen(context, config.metricsPort)
    api.addHook('onClose', async () => {
      server.close()
      server.closeAllConnections()
    })
  },
}
