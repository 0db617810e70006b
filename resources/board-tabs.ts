import type { Tab } from '#schema/resource.ts'

/** What belongs to a board, page by page. */
export const boardTabs = {
  index: { label: ['Status', 'Состояние'], widget: 'board-status', sections: ['identity', 'notes'] },
  ess: { label: ['ESS', 'СНЭ'], resource: 'control-pcb-attachment', from: 'control-pcb/{id}/ess' },
  'firmware-updates': { label: ['Firmware updates', 'Обновления прошивки'], resource: 'firmware-update',
    columns: ['createdAt', 'status', 'progressPct', 'fromVersion', 'toVersion', 'attempt', 'failureCode',
      'requestedBy', 'waitsFor'],
    opens: 'firmware-update', actions: ['request-update'], rowActions: ['cancel', 'retry'] },
  telemetry: { label: ['Telemetry', 'Телеметрия'], widget: 'telemetry-chart' },
  'package-control': { label: ['Package control', 'Контроль пакетов'], resource: 'package',
    match: { controlPcbId: '$record.id' }, opens: 'package',
    columns: ['receivedAt', 'type', 'seq', 'status', 'reason', 'sizeBytes', 'clockSkewMs'] },
  'telemetry-warnings': { label: ['Warnings', 'Предупреждения'], resource: 'telemetry-warning',
    opens: 'telemetry-warning', rowActions: ['acknowledge', 'assign', 'comment', 'clear'],
    columns: ['severity', 'code', 'state', 'subject', 'value', 'raisedAt', 'lastSeenAt', 'occurrences', 'assigneeId'] },
  configuration: { label: ['Configuration', 'Конфигурация'], widget: 'board-configuration' },
} as const satisfies Record<string, Tab>
