import { observeReturn } from './attention/observe-return.ts'
import type { ServerPart } from './context.ts'
import { dashboardPart } from './dashboard/dashboard-part.ts'
import { demoPart } from './demo/demo-part.ts'
import { docsPart } from './docs/docs-part.ts'
import { rulesByResource } from './domain/index.ts'
import { exportPart } from './export/export-part.ts'
import { fillingPart } from './filling/filling-part.ts'
import { ingestPart } from './ingest/ingest-part.ts'
import { jobsPart } from './jobs/jobs-part.ts'
import { livePart } from './live/live-part.ts'
import { forgetDevice } from './push/device-store.ts'
import { pushPart } from './push/push-part.ts'
import { recordsPart } from './records/register-records.ts'
import { housekeepingPart } from './session/housekeeping-part.ts'
import { sessionPart } from './session/session-part.ts'
import { simulatorPart } from './simulator/simulator-part.ts'
import { supportPart } from './support-route.ts'
import { telemetryPart } from './telemetry/telemetry-part.ts'
import { observeUpdates } from './updates/observe-updates.ts'
import { observeSamples } from './warnings/observe-samples.ts'

/** What the server is made of, in the order in which it is prepared, registered and started. */
export const parts: readonly ServerPart[] = [
  docsPart,
  sessionPart({ forgetDevice }),
  // Before the records: it gives an export to the lists that it sees come.
  exportPart(rulesByResource),
  recordsPart(rulesByResource),
  livePart(rulesByResource),
  ingestPart({ observers: [observeUpdates, observeSamples, observeReturn] }),
  telemetryPart,
  pushPart(),
  dashboardPart(rulesByResource),
  fillingPart(rulesByResource),
  demoPart,
  supportPart,
  housekeepingPart,
  jobsPart(),
  simulatorPart(),
]
