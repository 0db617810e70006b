import type { ServerPart } from '#server/base/context.ts'
import { ensureMonths } from './months.ts'
import { telemetryRoutes } from './telemetry-routes.ts'

const day = 86_400_000

/** Telemetry routes. They follow the session, which identifies the caller. */
export const telemetryPart: ServerPart = {
  name: 'telemetry',
  prepare: ({ database, clock }) =>
    ensureMonths(database, new Date(clock().getTime() - 31 * day), new Date(clock().getTime() + 62 * day)),
  register: telemetryRoutes,
}
