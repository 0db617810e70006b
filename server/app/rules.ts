import { invitationRules } from '#server/account/invitation.ts'
import { invitationTo } from '#server/account/open-invitation.ts'
import { undeliveredRules } from '#server/account/undelivered/undelivered-rules.ts'
import { userRules } from '#server/account/user.ts'
import { webhookDeliveryRules, webhookRules } from '#server/account/webhook/webhook-rules.ts'
import type { ResourceRules } from '#server/engine/records/resource-rules.ts'
import { controlPcbRules } from '#server/fleet/board/control-pcb.ts'
import { caseFileRules } from '#server/fleet/case/case-rules.ts'
import { configurationTemplateRules } from '#server/fleet/configuration/configuration-template.ts'
import { clientRules } from '#server/fleet/ess/client.ts'
import { essRules } from '#server/fleet/ess/ess.ts'
import { essModelRules } from '#server/fleet/ess/ess-model.ts'
import { firmwareRules } from '#server/fleet/firmware/firmware.ts'
import { rolloutBoardRules } from '#server/fleet/firmware/rollouts/rollout-board-rules.ts'
import { rolloutRules } from '#server/fleet/firmware/rollouts/rollout-rules.ts'
import { firmwareUpdateRules } from '#server/fleet/firmware/updates/update-rules.ts'
import { packageRules } from '#server/fleet/ingest/package-rules.ts'
import { telemetryWarningRules } from '#server/fleet/warning/warning-rules.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'

/** Rules beyond the definitions, with the decoder that packets are read by. A resource that only follows its definition has no row. */
export const rulesWith = (decoder: FrameDecoder): Readonly<Record<string, ResourceRules>> => ({
  user: userRules,
  client: clientRules,
  ess: essRules,
  'ess-model': essModelRules,
  'control-pcb': controlPcbRules,
  'configuration-template': configurationTemplateRules,
  firmware: firmwareRules,
  'firmware-update': firmwareUpdateRules,
  rollout: rolloutRules,
  'rollout-board': rolloutBoardRules,
  'telemetry-warning': telemetryWarningRules,
  'case-file': caseFileRules(decoder),
  invitation: invitationRules,
  guest: { derived: { invitationId: invitationTo('GUEST') } },
  'service-engineer': { derived: { invitationId: invitationTo('SERVICE_ENGINEER') } },
  package: packageRules(decoder),
  webhook: webhookRules,
  'webhook-delivery': webhookDeliveryRules,
  'undelivered-message': undeliveredRules,
})

export const rulesByResource = rulesWith(referenceDecoder)
