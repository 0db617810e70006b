import { defineResource } from '#schema/resource.ts'
import { placeAttention } from './attention.ts'
import { profiles } from './choices.ts'
import { essActions } from './ess-actions.ts'
import { essPeople } from './ess-people.ts'
import { essTabs } from './ess-tabs.ts'
import { nameplateFields } from './nameplate.ts'
import { served } from './served.ts'
import { essCountFields, locationFields, maintenanceFields } from './site-groups.ts'
import { connectionStates, essLifecycle, healthStates } from './states.ts'

/** Energy storage system: battery, BMS and power converter, run as one unit at one site. */
export const ess = defineResource({
  name: 'ess',
  label: { one: ['ESS', 'СНЭ'], many: ['ESS', 'СНЭ'] },
  icon: 'battery', title: 'code',
  summary: ['code', 'name'],
  live: true,

  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true,
      pattern: '^[A-Z0-9][A-Z0-9-]{3,31}$', help: ['4 to 32 signs: A–Z, 0–9, hyphens', 'От 4 до 32 знаков: A–Z, 0–9, дефисы'] },
    name: { type: 'text', label: ['Name', 'Название'], required: true, maxLength: 64, search: true },
    ...nameplateFields,
    profile: { type: 'enum', label: ['Profile', 'Профиль'], required: true, options: profiles },
    ownerId: { type: 'reference', label: ['Owner', 'Владелец'], to: 'client', readOnly: true },
    ownerSince: { type: 'dateTime', label: ['Owner since', 'Владеет с'], readOnly: true, detailOnly: true },
    installerId: { type: 'reference', label: ['Installer', 'Монтажник'], to: 'user', options: 'user?role=installer' },
    installedAt: { type: 'date', label: ['Installed', 'Установлена'] },
    warrantyUntil: { type: 'date', label: ['Warranty until', 'Гарантия до'] },
    lifecycle: { type: 'status', label: ['Lifecycle', 'Жизненный цикл'], required: true, default: 'PLANNED',
      states: essLifecycle },
    location: { type: 'group', label: ['Location', 'Место'], required: true, fields: locationFields },
    notes: { type: 'longText', label: ['Notes', 'Заметки'], maxLength: 4000, detailOnly: true },
    maintenance: { type: 'group', label: ['Maintenance', 'Обслуживание'], readOnly: true, fields: maintenanceFields },
    connection: { type: 'status', label: ['Connection', 'Связь'], derived: true, readOnly: true, states: connectionStates },
    health: { type: 'status', label: ['Health', 'Состояние'], derived: true, readOnly: true, states: healthStates },
    socPct: { type: 'percent', label: ['Charge', 'Заряд'], derived: true, readOnly: true, digits: 1 },
    attention: placeAttention,
    served,
    counts: { type: 'group', label: ['Counts', 'Количества'], derived: true, readOnly: true, fields: essCountFields },
  },

  list: {
    columns: ['code', 'name', 'connection', 'health', 'ownerId', 'lifecycle', 'ratedEnergyWh', 'counts.boards'],
    filters: ['connection', 'health', 'lifecycle', 'profile', 'chemistry', 'ownerId'],
    sort: { field: 'attention', order: 'asc' }, tone: { idle: { field: 'lifecycle', op: 'eq', value: 'DECOMMISSIONED' } },
    views: { offline: { label: ['Offline', 'Без связи'], filters: { connection: ['OFFLINE', 'STALE'] } },
      unowned: { label: ['Without an owner', 'Без владельца'], filters: { ownerId_null: true } } },
  },
  sections: {
    identity: ['code', 'name', 'ownerId', 'ownerSince', 'installerId', 'profile', 'lifecycle', 'installedAt', 'warrantyUntil'],
    status: ['connection', 'health', 'maintenance', 'counts'],
    nameplate: ['essModelId', 'manufacturer', 'model', 'serialNumber', 'chemistry', 'ratedEnergyWh', 'ratedChargePowerW',
      'ratedDischargePowerW', 'ratedCapacityAh', 'cellsInSeries', 'strings', 'modules', 'pvPeakPowerW', 'gridPhases',
      'gridConnectionLimitW'],
    location: ['location'],
    notes: ['notes'],
  },
  head: 'ess-overview',
  tabs: essTabs,
  actions: { ...essActions, ...essPeople },
  access: { list: ['admin', 'moderator', 'service_engineer'], create: ['admin', 'moderator'], edit: ['admin', 'moderator'],
    delete: ['admin', 'moderator'] },
  rules: [{ rule: { any: [{ field: 'warrantyUntil', op: 'null', value: true },
    { field: 'installedAt', op: 'null', value: true },
    { field: 'warrantyUntil', op: 'gte', value: '$record.installedAt' }] }, at: 'warrantyUntil',
    message: ['The warranty ends after the installation', 'Гарантия не может закончиться раньше установки'] }],
})
