import type { AnyResource } from '#schema/resource.ts'
import { auditLog } from './audit-log.ts'
import { caseFile } from './case-file.ts'
import { client } from './client.ts'
import { configurationTemplate } from './configuration-template.ts'
import { controlPcb } from './control-pcb.ts'
import { controlPcbAttachment } from './control-pcb-attachment.ts'
import { escalation } from './escalation.ts'
import { ess } from './ess.ts'
import { essModel } from './ess-model.ts'
import { firmware } from './firmware.ts'
import { firmwareUpdate } from './firmware-update.ts'
import { guest } from './guest.ts'
import { invitation } from './invitation.ts'
import { packageControl } from './package.ts'
import { rollout } from './rollout.ts'
import { rolloutBoard } from './rollout-board.ts'
import { serviceEngineer } from './service-engineer.ts'
import { telemetryWarning } from './telemetry-warning.ts'
import { undeliveredMessage } from './undelivered-message.ts'
import { user } from './user.ts'
import { webhook } from './webhook.ts'
import { webhookDelivery } from './webhook-delivery.ts'

/** Resources that are no more and whose rows may go: `npm run plan -- --apply` moves them to the archive. */
export const goneResources: readonly string[] = []

/** Every resource, in the order of the menu. */
export const resources: readonly AnyResource[] = [
  user,
  client,
  ess,
  controlPcb,
  packageControl,
  telemetryWarning,
  caseFile,
  firmware,
  firmwareUpdate,
  rollout,
  invitation,
  guest,
  serviceEngineer,
  controlPcbAttachment,
  rolloutBoard,
  essModel,
  configurationTemplate,
  escalation,
  webhook,
  webhookDelivery,
  undeliveredMessage,
  auditLog,
]
