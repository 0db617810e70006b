import type { Database } from '#server/db/connect.ts'
import { keepSamples } from '#server/fleet/case/keep-samples.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'

/** Removes telemetry that is older than it is kept. Samples of case files stay. */
export const pruneTelemetry = (database: Database, now: Date): Promise<void> =>
  telemetryStore.prune(database, now, (before) => keepSamples(database.kysely, before))
