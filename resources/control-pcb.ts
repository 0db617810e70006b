import type { Fields, State } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'
import { controlPcbActions } from './control-pcb-actions.ts'
import { transports } from './shared/choices.ts'
import { connectionStates, placeAttention, served } from './shared/site.ts'

export const boardLifecycle = {
  REGISTERED:  { tone: 'idle', label: ['Registered', 'Зарегистрирована'], next: ['ACTIVE', 'RETIRED'] },
  ACTIVE:      { tone: 'good', label: ['Active', 'В работе'], next: ['QUARANTINED', 'RETIRED'] },
  QUARANTINED: { tone: 'warn', label: ['Quarantined', 'На карантине'], next: ['ACTIVE', 'RETIRED'] },
  RETIRED:     { tone: 'idle', label: ['Retired', 'Списана'] },
} as const satisfies Record<string, State>

const configurationStates = {
  IN_SYNC:  { tone: 'good', label: ['In sync', 'Применена'] },
  PENDING:  { tone: 'info', label: ['Pending', 'Ожидает применения'] },
  REJECTED: { tone: 'bad',  label: ['Rejected', 'Отклонена'] },
  DRIFTED:  { tone: 'warn', label: ['Drifted', 'Расходится'] },
} as const satisfies Record<string, State>

const boardFirmwareFields = {
  currentVersion:    { type: 'semver',    label: ['Firmware', 'Прошивка'] },
  currentFirmwareId: { type: 'reference', label: ['Firmware file', 'Файл прошивки'], to: 'firmware' },
  previousVersion:   { type: 'semver',    label: ['Previous', 'Предыдущая'] },
  bootloaderVersion: { type: 'semver',    label: ['Bootloader', 'Загрузчик'] },
  reportedAt:        { type: 'dateTime',  label: ['Reported', 'Сообщена'] },
  isLatest:          { type: 'boolean',   label: ['On the latest firmware', 'На последней прошивке'] },
} as const satisfies Fields

const boardConnectionFields = {
  state:             { type: 'status',   label: ['Connection', 'Связь'], states: connectionStates },
  cause:             { type: 'enum',     label: ['Cause', 'Причина'], options: {
    OK:          ['In order', 'В порядке'],
    BAD_DATA:    ['Bad data', 'Неверные данные'],
    CLOCK:       ['Wrong clock', 'Неверные часы'],
    NO_PACKETS:  ['No packets', 'Нет пакетов'],
    UPDATING:    ['Updating', 'Обновляется'],
    MAINTENANCE: ['Maintenance', 'Обслуживание'],
  } },
  lastPacketAt:      { type: 'dateTime', label: ['Last packet', 'Последний пакет'], relative: true },
  lastValidPacketAt: { type: 'dateTime', label: ['Last valid packet', 'Последний верный пакет'], relative: true },
  lastSampleAt:      { type: 'dateTime', label: ['Last sample', 'Последнее измерение'], relative: true },
  transport:         { type: 'enum',     label: ['Transport', 'Канал связи'], options: transports },
  rssiDbm:           { type: 'quantity', label: ['Signal', 'Сигнал'], unit: 'dBm' },
  ip:                { type: 'text',     label: ['IP address', 'IP-адрес'] },
} as const satisfies Fields

const packetQualityFields = {
  received:   { type: 'count',   label: ['Received', 'Получено'] },
  valid:      { type: 'count',   label: ['Valid', 'Верных'] },
  partial:    { type: 'count',   label: ['Partial', 'Частичных'] },
  invalid:    { type: 'count',   label: ['Invalid', 'Неверных'] },
  notValid:   { type: 'count',   label: ['Partial or invalid', 'Частичных и неверных'] },
  duplicate:  { type: 'count',   label: ['Repeated', 'Повторов'] },
  missed:     { type: 'count',   label: ['Missed', 'Пропущено'] },
  invalidPct: { type: 'percent', label: ['Invalid share', 'Доля неверных'], digits: 1 },
} as const satisfies Fields

const boardHardwareFields = {
  uptimeS:         { type: 'duration', label: ['Uptime', 'Время работы'] },
  rebootCount:     { type: 'integer',  label: ['Reboots', 'Перезагрузки'] },
  lastResetReason: { type: 'enum',     label: ['Last reset', 'Последний сброс'], options: {
    POWER_ON:  ['Power on', 'Включение питания'],
    BROWNOUT:  ['Brown-out', 'Просадка питания'],
    WATCHDOG:  ['Watchdog', 'Сторожевой таймер'],
    SOFTWARE:  ['Software', 'Программный'],
    FW_UPDATE: ['Firmware update', 'Обновление прошивки'],
  } },
  supplyMv:        { type: 'quantity', label: ['Supply', 'Питание'], unit: 'mV' },
  boardTempC:      { type: 'quantity', label: ['Board temperature', 'Температура платы'], unit: '°C', digits: 1 },
  freeHeapB:       { type: 'bytes',    label: ['Free memory', 'Свободная память'] },
} as const satisfies Fields

const boardConfigurationFields = {
  state:           { type: 'status',   label: ['Configuration', 'Конфигурация'], states: configurationStates },
  desiredVersion:  { type: 'integer',  label: ['Desired version', 'Желаемая версия'] },
  reportedVersion: { type: 'integer',  label: ['Reported version', 'Сообщённая версия'] },
  requestedAt:     { type: 'dateTime', label: ['Wanted since', 'Желаема с'], relative: true },
  rejectReason:    { type: 'text',     label: ['Refused because', 'Причина отказа'] },
} as const satisfies Fields

/** Control PCB: the board in an ESS that measures, reports and obeys. */
export const controlPcb = defineResource({
  name: 'control-pcb',
  label: { one: ['Control PCB', 'Плата управления'], many: ['Control PCB', 'Платы управления'] },
  icon: 'board',
  title: 'code',
  live: true,

  fields: {
    code:             { type: 'code',      label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true,
      pattern: '^PCB-[0-9A-F]{6,12}$', help: ['PCB- and 6 to 12 signs 0–9, A–F', 'PCB- и от 6 до 12 знаков 0–9, A–F'] },
    uid:              { type: 'hex',       label: ['Uid', 'Uid'], required: true, unique: true, immutable: true, search: true,
      bytes: 6 },
    serialNumber:     { type: 'text',      label: ['Serial number', 'Серийный номер'], maxLength: 64, search: true },
    hardwareRevision: { type: 'code',      label: ['Hardware', 'Аппаратная версия'], required: true, pattern: '^[A-Z][1-9]$',
      help: ['Like A1 or B2', 'Например, A1 или B2'] },
    lifecycle:        { type: 'status',    label: ['Lifecycle', 'Жизненный цикл'], required: true, default: 'REGISTERED',
      states: boardLifecycle },
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
    identity: ['code', 'uid', 'serialNumber', 'hardwareRevision', 'lifecycle', 'essId', 'role', 'moduleIndex'],
    notes: ['notes'],
  },
  tabs: {
    index: { label: ['Status', 'Состояние'], widget: 'board-status', sections: ['identity', 'notes'] },
    ess: { label: ['ESS', 'СНЭ'], resource: 'control-pcb-attachment', from: 'control-pcb/{id}/ess' },
    'firmware-updates': { label: ['Firmware updates', 'Обновления прошивки'], resource: 'firmware-update',
      columns: ['createdAt', 'status', 'progressPct', 'fromVersion', 'toVersion', 'attempt', 'failureCode', 'requestedBy',
        'waitsFor'], opens: 'firmware-update', actions: ['request-update'], rowActions: ['cancel', 'retry'] },
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
  access: { list: fleetStaff, create: staff, edit: staff, delete: staff },
})
