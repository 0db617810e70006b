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

/** The API's fastify scope: paths are below /api, schemas are zod, and every route declares `config: { access }`. */
export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** Services shared by all parts of the server. */
export type ServerContext = {
  config: Config
  database: Database
  definitions: Definitions
  clock: () => Date
  log: FastifyBaseLogger
  metrics: Metrics
}

/** A module of the server. Parts are prepared, registered and started in order, and stopped in reverse. */
export type ServerPart = {
  name: string
  /** Runs before the API exists: tables, initial records. */
  prepare?: (context: ServerContext) => Promise<void>
  /** Hooks and routes. A hook of a part also applies to later parts. */
  register?: (api: Api, context: ServerContext) => Promise<void> | void
  /** Background work once the server listens. Returns the stop function. */
  start?: (context: ServerContext) => Promise<() => Promise<void>>
}
