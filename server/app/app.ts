import { randomUUID } from 'node:crypto'
import fastifyCompress from '@fastify/compress'
import Fastify, { type FastifyServerOptions, LogController } from 'fastify'
import { serializerCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { type Definitions, definitionsOf } from '#schema/definition.ts'
import type { Config } from '#server/base/config.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { Metrics } from '#server/base/metrics.ts'
import type { Database } from '#server/db/connect.ts'
import type { ConstraintFields } from '#server/db/database-problem.ts'
import { isMigrated } from '#server/db/migrate.ts'
import { enforceRouteAccess } from '#server/engine/http/access.ts'
import { limitBodies } from '#server/engine/http/body-limit.ts'
import { refuseFilesWhenFull, writableShareOf } from '#server/engine/http/disk-space.ts'
import { answerError, answerErrors } from '#server/engine/http/errors.ts'
import { continueWhenJudged } from '#server/engine/http/expect-continue.ts'
import { headersFor } from '#server/engine/http/headers.ts'
import { registerHealth } from '#server/engine/http/health.ts'
import { checkInput, parseQuery } from '#server/engine/http/input.ts'
import { type Load, shedLoad } from '#server/engine/http/load-shedding.ts'
import { limitRequests } from '#server/engine/http/rate-limit.ts'
import { logRequests, logSerializers } from '#server/engine/http/request-log.ts'
import { measureRequests } from '#server/engine/http/request-metrics.ts'
import { originForm, refuseDoubtfulRequests } from '#server/engine/http/request-target.ts'
import { limitSlowBodies, serverTimeouts } from '#server/engine/http/slow-body.ts'
import { inlineScriptsOf, serveConsole } from '#server/engine/http/static-console.ts'
import { migrations } from './migrations.ts'

export type AppOptions = {
  config: Config
  /** Open and migrated; the caller closes it. */
  database: Database
  definitions?: Definitions
  clock?: () => Date
  /** `false` for silence; a stream to read what is logged. */
  logger?: false | { stream: { write: (line: string) => void } }
  /** Parts whose hooks and routes make the API. */
  parts?: readonly ServerPart[]
  /** More routes under /api, after the parts. */
  register?: (api: Api, context: ServerContext) => Promise<void> | void
  /** Maps a unique constraint to its fields where its name does not say them. */
  constraintFields?: ConstraintFields
  /** Free share of the disk under the embedded database, 0 to 1. */
  freeShare?: () => Promise<number>
  /** From which load on requests are refused; without it they never are. */
  load?: Load
  /** Folder of the built console; without one the server is an API only. */
  consoleDir?: string
  /** Told how long each part took to prepare. */
  onPrepared?: (part: string, ms: number) => void
}

const compressFrom = 1024

/** Number of proxies or their addresses; never "all", which would believe any forged address. */
function trustOf(trust: Config['trustProxy']): NonNullable<FastifyServerOptions['trustProxy']> {
  return typeof trust === 'number' ? (_address, hop) => hop < trust : (trust ?? false)
}

function createServer({ config, logger, constraintFields, consoleDir }: AppOptions) {
  const setHeaders = headersFor(config, consoleDir ? inlineScriptsOf(consoleDir) : undefined)
  const app = Fastify({
    logger:
      logger === false || config.logLevel === 'silent'
        ? false
        : { level: config.logLevel, serializers: logSerializers, ...logger },
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID().replaceAll('-', '').slice(16),
    requestIdHeader: false,
    trustProxy: trustOf(config.trustProxy),
    rewriteUrl: originForm,
    forceCloseConnections: 'idle',
    routerOptions: { querystringParser: parseQuery, maxParamLength: 200 },
    ...serverTimeouts,
    // No hook runs for a URL that cannot be parsed.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply)
      return answerError(error, request, reply, constraintFields)
    },
  })
  app.addHook('onRequest', async (request, reply) => setHeaders(request, reply))
  return app.withTypeProvider<ZodTypeProvider>()
}

async function prepare(parts: readonly ServerPart[], context: ServerContext, onPrepared: AppOptions['onPrepared']) {
  for (const part of parts) {
    const started = performance.now()
    await part.prepare?.(context)
    if (part.prepare) onPrepared?.(part.name, performance.now() - started)
  }
}

/** Background work begins when the server listens, and ends before the database closes. */
function startWithServer(app: Api, parts: readonly ServerPart[], context: ServerContext) {
  const stops: (() => Promise<void>)[] = []
  let starting: Promise<void> | undefined
  let isClosing = false
  const start = async () => {
    for (const part of parts) {
      if (isClosing) return
      const stop = await part.start?.(context)
      if (stop) stops.unshift(stop)
    }
  }
  app.addHook('onListen', async () => {
    starting = start()
    await starting
  })
  // Told to end while it still starts, it begins nothing more.
  app.addHook('preClose', async () => {
    isClosing = true
    await starting
  })
  app.addHook('onClose', async () => {
    for (const stop of stops) await stop()
  })
}

/**
 * Prepares the parts and builds the server without listening: `app.inject` answers already. The database is open and migrated,
 * and stays open. Throws when a route under /api declares no access.
 */
export async function buildApp(options: AppOptions): Promise<Api> {
  const { config, database, parts = [], constraintFields } = options
  const app = createServer(options)
  const context: ServerContext = {
    config,
    database,
    definitions: options.definitions ?? definitionsOf([]),
    clock: options.clock ?? (() => new Date()),
    log: app.log,
    metrics: new Metrics(),
  }
  await prepare(parts, context, options.onPrepared)
  app.decorateRequest('caller', null)
  answerErrors(app, constraintFields)
  logRequests(app)
  measureRequests(app, context.metrics)
  limitSlowBodies(app)
  if (options.load) await shedLoad(app, options.load)
  await limitRequests(app, config.rateLimitPerMin)
  refuseDoubtfulRequests(app)
  if (database.kind === 'embedded') refuseFilesWhenFull(app, options.freeShare ?? (() => writableShareOf(config.dataDir)))
  checkInput(app)
  continueWhenJudged(app)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(
    async (api: Api) => {
      await api.register(fastifyCompress, { threshold: compressFrom, encodings: ['br', 'gzip'] })
      enforceRouteAccess(api)
      limitBodies(api)
      for (const part of parts) await part.register?.(api, context)
      registerHealth(api, () => isMigrated(database, migrations))
      await options.register?.(api, context)
    },
    { prefix: '/api' },
  )
  startWithServer(app, parts, context)
  await serveConsole(app, options.consoleDir)
  await app.ready()
  return app
}
