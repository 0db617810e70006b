import type { State } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'
import { controlPcbActions } from './control-pcb-actions.ts'
import {
  boardConfigurationFields,
  boardConnectionFields,
  boardFirmwareFields,
  boardHardwareFields,
  packetQualityFields,
} from './control-pcb-groups.ts'
import { products, usualProduct } from './shared/products.ts'
import { placeAttention, served } from './shared/site.ts'

export const boardLifecycle = {
  REGISTERED:  { tone: 'idle', label: ['Registered', 'Зарегистрирована'], next: ['ACTIVE', 'RETIRED'] },
  ACTIVE:      { tone: 'good', label: ['Active||board', 'В работе'], next: ['QUARANTINED', 'RETIRED'] },
  QUARANTINED: { tone: 'warn', label: ['Quarantined', 'На карантине'], next: ['ACTIVE', 'RETIRED'] },
  RETIRED:     { tone: 'idle', label: ['Retired', 'Списана'] },
} as const satisfies Record<string, State>

/** Control PCB: the board in an ESS that measures, reports and obeys. */
export const controlPcb = defineResource({
  name: 'control-pcb',
  label: { one: ['Control PCB', 'Плата управления'], many: ['Control PCB', 'Платы управления'] },
  icon: 'board',
  title: 'code',
  live: true,

  fields: {
    code:             { type: 'code',      label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true,
      pattern: '^PCB-[0-9A-F]{6,12}$', help: ['PCB- and 6 to 12 characters 0–9, A–F', 'PCB- и от 6 до 12 знаков 0–9, A–F'] },
    uid:              { type: 'hex',       label: ['Uid', 'Uid'], required: true, unique: true, immutable: true, search: true,
      bytes: 6 },
    serialNumber:     { type: 'text',      label: ['Serial number', 'Серийный номер'], maxLength: 64, search: true },
    product:          { type: 'enum',      label: ['Product', 'Изделие'], required: true, default: usualProduct, options: products,
      help: ['Its frames are read and its images chosen by it', 'По нему читаются пакеты и выбираются прошивки'] },
    hardwareRevision: { type: 'code',      label: ['Hardware', 'Аппаратная версия'], required: true, pattern: '^[A-D][1-8]$',
      help: ['A1 to D8: images name no others', 'От A1 до D8: других в прошивках нет'] },
    lifecycle:        { type: 'status',    label: ['Lifecycle', 'Жизненный цикл'], required: true, default: 'REGISTERED',
      starts: ['REGISTERED', 'ACTIVE'], states: boardLifecycle },
    essId:            { type: 'reference', label: ['ESS', 'СНЭ'], to: 'ess', readOnly: true },
    role:             { type: 'enum',      label: ['Role', 'Роль'], readOnly: true,
      options: { MAIN: ['Main', 'Главная'], MODULE: ['Module', 'Модуль'] } },
    moduleIndex:      { type: 'integer',   label: ['Module no.', '№ модуля'], readOnly: true },
    connection:       { type: 'group',     label: ['Connection', 'Связь'], derived: true, readOnly: true,
      fields: boardConnectionFields },
    firmware:         { type: 'group',     label: ['Firmware', 'Прошивка'], derived: true, readOnly: true,
      fields: boardFirmwareFields },
    config:           { type: 'group',     label: ['Configuration', 'Конфигурация'], derived: true, readOnly: true,
      fields: boardConfigurationFields },
    board:            { type: 'group',     label: ['Board', 'Плата'], derived: true, readOnly: true, detailOnly: true,
      fields: boardHardwareFields },
    quality24h:       { type: 'group',     label: ['Packets, 24 hours', 'Пакеты за 24 часа'], derived: true, readOnly: true,
      detailOnly: true, fields: packetQualityFields },
    openUpdateId:     { type: 'reference', label: ['Open update', 'Открытое обновление'], derived: true, readOnly: true,
      to: 'firmware-update' },
    openWarnings:     { type: 'count',     label: ['Open warnings', 'Открытых предупреждений'], derived: true, readOnly: true },
    attention:        placeAttention,
    served,
    capturingUntil:   { type: 'dateTime',  label: ['Packets captured until', 'Запись пакетов до'], derived: true,
      readOnly: true },
    simulated:        { type: 'boolean',   label: ['Played by the demo', 'Изображает демо-парк'], derived: true, readOnly: true,
      detailOnly: true },
    clockOffsetMs:    { type: 'quantity',  label: ['Clock offset', 'Сдвиг часов'], derived: true, readOnly: true, unit: 'ms' },
    notes:            { type: 'longText',  label: ['Notes', 'Заметки'], maxLength: 4000, detailOnly: true },
  },

  list: {
    columns: ['code', 'essId', 'role', 'connection.state', 'connection.lastPacketAt', 'firmware.currentVersion', 'config.state',
      'openWarnings', 'lifecycle'],
    filters: ['connection.state', 'lifecycle', 'config.state', 'hardwareRevision', 'essId'],
    sort: { field: 'attention', order: 'asc' },
    tone: { idle: { field: 'lifecycle', op: 'eq', value: 'RETIRED' } },
    views: { unattached: { label: ['Not attached', 'Не подключены'], filters: { essId_null: true } },
      drifted: { label: ['Configuration differs', 'Конфигурация расходится'],
        filters: { 'config.state': ['DRIFTED', 'REJECTED'] } } },
  },
  sections: {
    identity: ['code', 'uid', 'serialNumber', 'product', 'hardwareRevision', 'lifecycle', 'essId', 'role', 'moduleIndex',
      'simulated'],
    notes: ['notes'],
  },
  tabs: {
    index: { label: ['Status', 'Состояние'], widget: 'board-status', sections: ['identity', 'notes'] },
    ess: { label: ['ESS', 'СНЭ'], resource: 'control-pcb-attachment', from: 'control-pcb/{id}/ess' },
    'firmware-updates': { label: ['Firmware updates', 'Обновления прошивки'], resource: 'firmware-update',
      columns: ['createdAt', 'status', 'progressPct', 'fromVersion', 'toVersion', 'attempt', 'failureCode', 'requestedBy',
        'waiting', 'waitsFor'], opens: 'firmware-update', actions: ['request-update'], rowActions: ['cancel', 'retry'] },
    telemetry: { label: ['Telemetry', 'Телеметрия'], widget: 'telemetry-chart' },
    'package-control': { label: ['Package control', 'Контроль пакетов'], resource: 'package',
      match: { controlPcbId: '$record.id' }, opens: 'package',
      columns: ['receivedAt', 'type', 'seq', 'status', 'reason', 'sizeBytes', 'clockSkewMs'] },
    'telemetry-warnings': { label: ['Warnings', 'Предупреждения'], resource: 'telemetry-warning', opens: 'telemetry-warning',
      rowActions: ['acknowledge', 'assign', 'comment', 'clear'],
      columns: ['severity', 'code', 'state', 'subject', 'value', 'raisedAt', 'lastSeenAt', 'occurrences', 'assigneeId'] },
    configuration: { label: ['Configuration', 'Конфигурация'], widget: 'board-configuration' },
  },
  actions: controlPcbActions,
  figures: {
    firmware:      { place: 'spread',  by: 'firmware.currentVersion',
      states: { resource: 'firmware', match: 'firmwareVersion', field: 'status' } },
    connection:    { place: 'spread',  by: 'connection.state' },
    configuration: { place: 'spread',  by: 'config.state' },
    latest:        { place: 'updates', by: 'firmware.isLatest' },
    badData:       { place: 'tidy',    label: ['Boards with bad data, 24 hours', 'Платы с неверными данными за сутки'],
      tone: 'warn', filters: { 'quality24h.notValid_gte': 1 } },
    drifted:       { place: 'tidy',    label: ['Configurations that differ', 'Расхождения конфигурации'], tone: 'warn',
      filters: { 'config.state': 'DRIFTED' } },
    unattached:    { place: 'tidy',    label: ['Boards not attached', 'Платы не подключены'], tone: 'info',
      filters: { essId_null: true, lifecycle_ne: 'RETIRED' } },
  },
  access: { list: fleetStaff, create: staff, edit: staff, delete: staff },
})
