import { defineResource } from '#schema/resource.ts'
import { placeAttention } from './attention.ts'
import { boardActions } from './board-actions.ts'
import {
  boardConfigurationFields,
  boardConnectionFields,
  boardFirmwareFields,
  boardHardwareFields,
  packetQualityFields,
} from './board-groups.ts'
import { boardTabs } from './board-tabs.ts'
import { served } from './served.ts'
import { boardLifecycle } from './states.ts'

/** Control PCB: the board in an ESS that measures, reports and obeys. */
export const controlPcb = defineResource({
  name: 'control-pcb',
  label: { one: ['Control PCB', 'Плата управления'], many: ['Control PCB', 'Платы управления'] },
  icon: 'board', title: 'code', live: true,

  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true,
      pattern: '^PCB-[0-9A-F]{6,12}$', help: ['PCB- and 6 to 12 signs 0–9, A–F', 'PCB- и от 6 до 12 знаков 0–9, A–F'] },
    uid: { type: 'hex', label: ['Uid', 'Uid'], required: true, unique: true, immutable: true, search: true, bytes: 6 },
    serialNumber: { type: 'text', label: ['Serial number', 'Серийный номер'], maxLength: 64, search: true },
    hardwareRevision: { type: 'code', label: ['Hardware', 'Аппаратная версия'], required: true, pattern: '^[A-Z][1-9]$',
      help: ['Like A1 or B2', 'Например, A1 или B2'] },
    lifecycle: { type: 'status', label: ['Lifecycle', 'Жизненный цикл'], required: true, default: 'REGISTERED',
      states: boardLifecycle },
    essId: { type: 'reference', label: ['ESS', 'СНЭ'], to: 'ess', readOnly: true },
    role: { type: 'enum', label: ['Role', 'Роль'], readOnly: true,
      options: { MAIN: ['Main', 'Главная'], MODULE: ['Module', 'Модуль'] } },
    moduleIndex: { type: 'integer', label: ['Module no.', '№ модуля'], readOnly: true },
    connection: { type: 'group', label: ['Connection', 'Связь'], derived: true, readOnly: true, fields: boardConnectionFields },
    firmware: { type: 'group', label: ['Firmware', 'Прошивка'], derived: true, readOnly: true, fields: boardFirmwareFields },
    config: { type: 'group', label: ['Configuration', 'Конфигурация'], derived: true, readOnly: true,
      fields: boardConfigurationFields },
    board: { type: 'group', label: ['Board', 'Плата'], derived: true, readOnly: true, detailOnly: true,
      fields: boardHardwareFields },
    quality24h: { type: 'group', label: ['Packets, 24 hours', 'Пакеты за 24 часа'], derived: true, readOnly: true,
      detailOnly: true, fields: packetQualityFields },
    openUpdateId: { type: 'reference', label: ['Open update', 'Открытое обновление'], derived: true, readOnly: true,
      to: 'firmware-update' },
    openWarnings: { type: 'count', label: ['Open warnings', 'Открытых предупреждений'], derived: true, readOnly: true },
    attention: placeAttention,
    served,
    capturingUntil: { type: 'dateTime', label: ['Packets captured until', 'Запись пакетов до'], derived: true, readOnly: true },
    clockOffsetMs: { type: 'quantity', label: ['Clock offset', 'Сдвиг часов'], derived: true, readOnly: true, unit: 'ms' },
    notes: { type: 'longText', label: ['Notes', 'Заметки'], maxLength: 4000, detailOnly: true },
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
  tabs: boardTabs,
  actions: boardActions,
  access: { list: ['admin', 'moderator', 'service_engineer'], create: ['admin', 'moderator'], edit: ['admin', 'moderator'],
    delete: ['admin', 'moderator'] },
})
