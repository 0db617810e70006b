import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Definitions } from '#schema/definition.ts'
import type { Database } from '#server/db/connect.ts'
import type { Config } from './config.ts'
import type { Metrics } from './metrics.ts'

/** The API's scope: paths are below /api, schemas are zod, and every route declares `config: { access }`. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** The services that every part of the server works with. */
export type ServerContext = {
  config: Config
  database: Database
  definitions: Definitions
  clock: () => Date
  log: FastifyBaseLogger
  metrics: Metrics
}

/** One part of the server. Parts are prepared, registered and started in their order, and stopped in reverse. */
export type ServerPart = {
  name: string
  /** Before the API exists: tables, first records. */
  prepare?: (context: ServerContext) => Promise<void>
  /** Hooks and routes. A hook of a part holds for the parts after it too. */
  register?: (api: Api, context: ServerContext) => Promise<void> | void
  /** Once the server listens: background work. Answers how to stop it. */
  start?: (context: ServerContext) => Promise<() => Promise<void>>
}
