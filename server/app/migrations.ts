import type { ClientBase } from 'pg'
import { factorTables } from '#server/account/factor/factor-tables.ts'
import { linkTable } from '#server/account/link-table.ts'
import { liveStreamTable } from '#server/account/live/stream-places.ts'
import { oidcTables, providerTokens } from '#server/account/oidc/oidc-tables.ts'
import { passkeyTables } from '#server/account/passkey/passkey-tables.ts'
import { restoreRequestTable } from '#server/account/restore-password.ts'
import { sessionTables, tokenUse } from '#server/account/session/session-tables.ts'
import { signInDeviceTable } from '#server/account/session/sign-in-device.ts'
import { webhookTables } from '#server/account/webhook/webhook-tables.ts'
import { openAttempts, rateLimitTable } from '#server/base/rate-limit-table.ts'
import { eventTable } from '#server/db/events/event-table.ts'
import { leaseBreaks, leaseTable } from '#server/db/jobs/job-tables.ts'
import type { Migration } from '#server/db/migrate.ts'
import { demoAccountTable, demoRecordTable } from '#server/demo/demo-tables.ts'
import { demoFleetTable } from '#server/demo/fleet-plan.ts'
import { simulatorTables } from '#server/demo/simulator/simulator-tables.ts'
import { auditErasure } from '#server/engine/audit/audit-erasure.ts'
import { auditTable } from '#server/engine/audit/audit-table.ts'
import { auditView } from '#server/engine/audit/audit-view.ts'
import { appliedDefinitionTable, appliedPlanTables } from '#server/engine/changes/change-tables.ts'
import { fileTable } from '#server/engine/files/file-table.ts'
import { idempotencyTable } from '#server/engine/http/idempotency-table.ts'
import {
  importChanges,
  importProgress,
  importsOfRecord,
  importTables,
  undoProgress,
  undoTraces,
} from '#server/filling/filling-tables.ts'
import {
  boardConnectionTable,
  boardStateTable,
  connectionTimes,
  estimatedSamples,
  siteSince,
} from '#server/fleet/board/board-tables.ts'
import { caseTables } from '#server/fleet/case/case-tables.ts'
import {
  autoUpdateIndex,
  boardTemplateTable,
  chemistryTables,
  configurationOutcomes,
  configurationTable,
  debugIndex,
  resetPresets,
} from '#server/fleet/configuration/configuration-tables.ts'
import { essModelName } from '#server/fleet/ess/ess-tables.ts'
import { endFormerRelations } from '#server/fleet/ess/former-relations.ts'
import { damagedFiles, firmwareFileTable, imagePieces } from '#server/fleet/firmware/firmware-tables.ts'
import {
  rolloutBoardView,
  rolloutChoices,
  rolloutConfigurations,
  rolloutStateIndex,
  rolloutTables,
} from '#server/fleet/firmware/rollouts/rollout-tables.ts'
import { retriedUpdates } from '#server/fleet/firmware/updates/update-tables.ts'
import {
  connectionFacts,
  doubtfulHours,
  ingestTables,
  keyRotation,
  preparedKeys,
  unreadPackets,
} from '#server/fleet/ingest/ingest-tables.ts'
import { positionTable } from '#server/fleet/ingest/stream/positions.ts'
import { daysOfSites, openByOneRule } from '#server/fleet/telemetry/days/day-steps.ts'
import { estimatedRows, partitionRolled, telemetryTables } from '#server/fleet/telemetry/telemetry-tables.ts'
import { escalationTables } from '#server/fleet/warning/escalation-tables.ts'
import { limitTables, resetLimits } from '#server/fleet/warning/limits/limit-tables.ts'
import { warningPlaces, warningTables } from '#server/fleet/warning/warning-tables.ts'
import { givenUpMails, mailSeenAt, mailTable, mailTokens } from '#server/notify/mail-queue.ts'
import { noticeChoices } from '#server/notify/notice-choices.ts'
import { changesOfPeople, pushTables } from '#server/notify/push-tables.ts'

const extension = async (client: ClientBase) => {
  await client.query('create extension if not exists pg_trgm').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The database needs the extension pg_trgm: let its owner run "create extension pg_trgm" once (${reason})`)
  })
}

/** Written steps in their order. A released step is never edited; a later one corrects it. */
export const migrations: readonly Migration[] = [
  { id: '0001-text-search', up: extension },
  { id: '0002-sessions', up: sessionTables + linkTable + rateLimitTable + idempotencyTable },
  { id: '0003-audit', up: auditTable },
  { id: '0004-events', up: eventTable },
  { id: '0005-boards', up: boardStateTable + configurationTable + demoAccountTable + firmwareFileTable },
  { id: '0006-push', up: pushTables },
  { id: '0007-audit-view', up: auditView },
  { id: '0008-ingest', up: ingestTables },
  { id: '0009-telemetry', up: telemetryTables },
  { id: '0010-filling', up: importTables + demoRecordTable },
  { id: '0011-jobs', up: leaseTable + boardConnectionTable },
  { id: '0012-simulator', up: simulatorTables },
  { id: '0013-warnings', up: warningTables },
  { id: '0014-rollouts', up: rolloutTables },
  { id: '0015-thresholds', up: limitTables },
  { id: '0016-configuration-outcomes', up: configurationOutcomes },
  { id: '0017-debug', up: debugIndex },
  { id: '0018-chemistries', up: chemistryTables },
  { id: '0019-damaged-files', up: damagedFiles },
  { id: '0020-notice-choices', up: noticeChoices },
  { id: '0021-demo-fleet', up: demoFleetTable },
  { id: '0022-ess-model-name', up: essModelName },
  { id: '0023-automatic-updates', up: autoUpdateIndex },
  { id: '0024-cases', up: caseTables },
  { id: '0025-connection-times', up: connectionTimes },
  { id: '0026-lease-breaks', up: leaseBreaks },
  { id: '0027-rollout-states', up: rolloutStateIndex },
  { id: '0028-mails', up: mailTable },
  { id: '0029-key-rotation', up: keyRotation },
  { id: '0030-image-pieces', up: imagePieces },
  { id: '0031-retried-updates', up: retriedUpdates },
  { id: '0032-rollout-choices', up: rolloutChoices },
  { id: '0033-warning-places', up: warningPlaces },
  { id: '0034-files', up: fileTable },
  { id: '0035-applied-definitions', up: appliedDefinitionTable },
  { id: '0036-applied-plans', up: appliedPlanTables },
  { id: '0037-second-factors', up: factorTables },
  { id: '0040-unread-packets', up: unreadPackets + estimatedSamples },
  { id: '0041-connection-facts', up: connectionFacts },
  { id: '0043-escalations', up: escalationTables },
  { id: '0046-token-use', up: tokenUse },
  { id: '0047-audit-erasure', up: auditErasure },
  { id: '0050-import-changes', up: importChanges },
  { id: '0051-sign-in-provider', up: oidcTables },
  { id: '0052-passkeys', up: passkeyTables },
  { id: '0053-webhooks', up: webhookTables },
  { id: '0054-rollout-boards', up: rolloutBoardView },
  { id: '0055-board-templates', up: boardTemplateTable },
  { id: '0056-import-progress', up: importProgress },
  { id: '0057-ingest-positions', up: positionTable },
  { id: '0058-rolled-months', up: partitionRolled },
  { id: '0059-provider-sign-out', up: providerTokens },
  { id: '0060-undo-progress', up: undoProgress },
  { id: '0061-sign-in-devices', up: signInDeviceTable },
  { id: '0062-undo-traces', up: undoTraces },
  { id: '0063-rollout-configurations', up: rolloutConfigurations },
  { id: '0064-mail-sightings', up: mailSeenAt },
  { id: '0065-reset-reference-data', up: resetLimits + resetPresets },
  { id: '0066-prepared-keys', up: preparedKeys },
  { id: '0067-changes-of-people', up: changesOfPeople },
  { id: '0068-mail-tokens', up: mailTokens },
  { id: '0069-given-up-mails', up: givenUpMails },
  { id: '0070-restore-requests', up: restoreRequestTable },
  { id: '0071-live-streams', up: liveStreamTable },
  { id: '0072-imports-of-record', up: importsOfRecord },
  { id: '0073-open-attempts', up: openAttempts },
  { id: '0074-doubtful-hours', up: doubtfulHours },
  // The locks of whole tables come before rows are written: a process of an older version may write these.
  { id: '0075-own-reports', up: estimatedRows + siteSince },
  { id: '0076-days-of-sites', up: daysOfSites },
  { id: '0077-open-by-one-rule', up: openByOneRule },
  { id: '0078-former-relations', up: endFormerRelations },
]
