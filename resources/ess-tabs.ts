import type { Tab } from '#schema/resource.ts'

/** What belongs to a site, page by page. */
export const essTabs = {
  'control-pcb': { label: ['Controls PCB', 'Платы управления'], resource: 'control-pcb', from: 'ess/{id}/control-pcb',
    columns: ['code', 'role', 'connection.state', 'firmware.currentVersion', 'lifecycle'],
    actions: ['attach-control-pcb'], rowActions: ['remove-control-pcb'] },
  guest: { label: ['Guests', 'Гости'], resource: 'guest', from: 'ess/{id}/guest', actions: ['invite-guest'],
    rowActions: ['resend', 'remove-guest'] },
  'service-engineer': { label: ['Service Engineers', 'Сервисные инженеры'], resource: 'service-engineer',
    from: 'ess/{id}/service-engineer', actions: ['invite-service-engineer'],
    rowActions: ['resend', 'remove-service-engineer'] },
  telemetry: { label: ['Telemetry', 'Телеметрия'], widget: 'telemetry-chart' },
  'case-file': { label: ['Case files', 'Досье'], resource: 'case-file',
    columns: ['code', 'warningCode', 'controlPcbId', 'startsAt', 'endsAt', 'state', 'createdBy'] },
} as const satisfies Record<string, Tab>
