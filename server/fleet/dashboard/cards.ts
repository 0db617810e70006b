import { failedStates } from '#resources/shared/updates.ts'

/**
 * A figure of the staff's first page: rows of a list, counted as the list itself would find them. `where` is the list's own filter;
 * `$now` stands for the moment of asking, `$weekAgo` for seven days before. `by` splits the figure by a field; `states` names where its values have a state.
 */
export type CardRow = {
  key: string
  resource: string
  where?: Readonly<Record<string, string | readonly string[]>>
  by?: string
  states?: { resource: string; match: string; field: string }
}

/** Every card, in the order of the page. Whoever may not list a resource, or read one of the fields, is not given the card. */
export const cards: readonly CardRow[] = [
  { key: 'ess-connection', resource: 'ess', by: 'connection' },
  { key: 'ess-lifecycle', resource: 'ess', by: 'lifecycle' },
  { key: 'board-connection', resource: 'control-pcb', by: 'connection.state' },
  { key: 'board-configuration', resource: 'control-pcb', by: 'config.state' },
  {
    key: 'board-firmware',
    resource: 'control-pcb',
    by: 'firmware.currentVersion',
    states: { resource: 'firmware', match: 'firmwareVersion', field: 'status' },
  },
  {
    key: 'warning-severity',
    resource: 'telemetry-warning',
    where: { active: 'true', suppressed: 'false', acknowledged: 'false' },
    by: 'severity',
  },
  { key: 'board-latest', resource: 'control-pcb', by: 'firmware.isLatest' },
  { key: 'board-bad-data', resource: 'control-pcb', where: { 'quality24h.notValid_gte': '1' } },
  { key: 'board-drifted', resource: 'control-pcb', where: { 'config.state': 'DRIFTED' } },
  { key: 'update-open', resource: 'firmware-update', where: { finishedAt_null: 'true' } },
  {
    key: 'update-failed',
    resource: 'firmware-update',
    where: { status: failedStates, createdAt_gte: '$weekAgo' },
  },
  { key: 'ess-unowned', resource: 'ess', where: { ownerId_null: 'true', lifecycle_ne: 'DECOMMISSIONED' } },
  { key: 'board-unattached', resource: 'control-pcb', where: { essId_null: 'true', lifecycle_ne: 'RETIRED' } },
  { key: 'ess-maintenance', resource: 'ess', where: { 'maintenance.until_gte': '$now' } },
  { key: 'invitation-open', resource: 'invitation', where: { state: 'PENDING' } },
  { key: 'invitation-expired', resource: 'invitation', where: { state: 'EXPIRED' } },
]
