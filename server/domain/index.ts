import { caseRules } from '#server/cases/case-rules.ts'
import { packageRules } from '#server/ingest/package-rules.ts'
import type { ResourceRules } from '#server/records/resource-rules.ts'
import { rolloutRules } from '#server/rollouts/rollout-rules.ts'
import { updateRules } from '#server/updates/update-rules.ts'
import { warningRules } from '#server/warnings/warning-rules.ts'
import { clientRules } from './client.ts'
import { controlPcbRules } from './control-pcb.ts'
import { essRules } from './ess.ts'
import { essModelRules } from './ess-model.ts'
import { firmwareRules } from './firmware.ts'
import { invitationRules } from './invitation.ts'
import { invitationTo } from './open-invitation.ts'
import { userRules } from './user.ts'

/** What resources do beyond their definitions. A resource that only follows its definition has no row. */
export const rulesByResource: Readonly<Record<string, ResourceRules>> = {
  user: userRules,
  client: clientRules,
  ess: essRules,
  'ess-model': essModelRules,
  'control-pcb': controlPcbRules,
  firmware: firmwareRules,
  'firmware-update': updateRules,
  rollout: rolloutRules,
  'telemetry-warning': warningRules,
  'case-file': caseRules,
  invitation: invitationRules,
  guest: { derived: { invitationId: invitationTo('GUEST') } },
  'service-engineer': { derived: { invitationId: invitationTo('SERVICE_ENGINEER') } },
  package: packageRules,
}
