import { goneResources } from '#resources/index.ts'
import { devicesPart } from '#server/account/device-routes.ts'
import { requireFactorPart } from '#server/account/factor/require-factor-part.ts'
import { firstAdminPart } from '#server/account/first-admin-part.ts'
import { housekeepingPart } from '#server/account/housekeeping-part.ts'
import { livePart } from '#server/account/live/live-part.ts'
import { sessionPart } from '#server/account/session/session-part.ts'
import { supportPart } from '#server/account/support-route.ts'
import { addRecordEvents } from '#server/account/webhook/add-webhook-events.ts'
import { webhookPart } from '#server/account/webhook/webhook-part.ts'
import type { ServerPart } from '#server/base/context.ts'
import { demoPart, demoUsers } from '#server/demo/demo-part.ts'
import { simulatorPart } from '#server/demo/simulator/simulator-part.ts'
import { docsPart } from '#server/engine/docs/docs-part.ts'
import { type EngineOptions, recordsPart } from '#server/engine/engine-part.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { dashboardPart } from '#server/fleet/dashboard/dashboard-part.ts'
import { devicePart } from '#server/fleet/device/device-part.ts'
import { observeUpdates } from '#server/fleet/firmware/updates/observe-updates.ts'
import { observeReconnect } from '#server/fleet/ingest/observe-reconnect.ts'
import { telemetryPart } from '#server/fleet/telemetry/telemetry-part.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { forgetDevice } from '#server/notify/device-store.ts'
import { mailerOf, mailPart } from '#server/notify/mailer.ts'
import { pushPart } from '#server/notify/push-part.ts'
import { jobsPart } from './jobs-part.ts'
import { metricsPart } from './metrics/metrics-part.ts'
import { rulesWith } from './rules.ts'

/** The parts of a server that reads frames by this decoder, in the order in which it is prepared, registered and started. */
function partsWith(decoder: FrameDecoder): readonly ServerPart[] {
  const rules = rulesWith(decoder)
  const engine: EngineOptions = { rules, goneResources, mailOf: mailerOf, onChanges: addRecordEvents }
  return [
    docsPart,
    sessionPart({ forgetDevice }),
    // Before the records: it gives an export to the lists that it sees come.
    exportPart(rules),
    recordsPart(engine),
    requireFactorPart,
    livePart(rules),
    devicePart({ decoder, observers: [observeUpdates, observeSamples, observeReconnect] }),
    telemetryPart,
    devicesPart,
    pushPart(),
    mailPart,
    webhookPart(),
    dashboardPart(rules),
    fillingPart(engine),
    demoPart(engine),
    firstAdminPart(demoUsers),
    supportPart,
    housekeepingPart,
    metricsPart,
    jobsPart(decoder),
    simulatorPart(),
  ]
}

export const parts = partsWith(referenceDecoder)
