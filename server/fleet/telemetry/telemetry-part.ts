import { dayMs } from '#schema/format/durations.ts'
import type { ServerPart } from '#server/base/context.ts'
import { ensurePartitions } from './monthly-partitions.ts'
import { telemetryRoutes } from './telemetry-routes.ts'

/** Telemetry routes. They follow the session, which identifies the caller. */
export const telemetryPart: ServerPart = {
  name: 'telemetry',
  prepare: ({ database, clock }) =>
    ensurePartitions(database, new Date(clock().getTime() - 31 * dayMs), new Date(clock().getTime() + 62 * dayMs)),
  register: telemetryRoutes,
}
