import type { Fields, State } from '#schema/field-types.ts'
import { defineResource } from '#schema/resource.ts'
import { fleetStaff, staff } from '#schema/roles.ts'
import { essActions, essDeletion } from './ess-actions.ts'
import { modelFields } from './ess-model.ts'
import { profiles } from './shared/choices.ts'
import { powerFields, powerLines } from './shared/power-flow.ts'
import { essWhy } from './shared/site-why.ts'
import {
  connectionStates, firstWarningFields, isAssigned, maintenanceFields, placeAttention, severities, siteCauses, troubleFields,
} from './shared/status-parts.ts'

const essLifecycle = {
  PLANNED:        { tone: 'idle', label: ['Planned', 'Запланирована'], next: ['COMMISSIONING'] },
  COMMISSIONING:  { tone: 'warn', label: ['Commissioning', 'Пусконаладка'], next: ['IN_OPERATION'] },
  IN_OPERATION:   { tone: 'good', label: ['In operation', 'В работе'], next: ['DECOMMISSIONED'] },
  DECOMMISSIONED: { tone: 'idle', label: ['Decommissioned', 'Выведена'] },
} as const satisfies Record<string, State>

const healthStates = {
  OK:      { tone: 'good', label: ['OK||health', 'Норма'] },
  ...severities,
  UNKNOWN: { tone: 'idle', label: ['Unknown', 'Неизвестно'] },
} as const satisfies Record<string, State>

/** Nameplate of one system. */
const nameplateFields = {
  essModelId:           { type: 'reference', label: ['Model from the list', 'Модель из списка'], to: 'ess-model',
    detailOnly: true,
    help: ['Fills in the profile and the nameplate where they are empty', 'Заполняет пустые поля профиля и паспортных данных'],
    fills: ['profile', 'manufacturer', 'model', 'chemistry', 'ratedEnergyWh', 'ratedChargePowerW', 'ratedDischargePowerW',
      'ratedCapacityAh', 'cellsInSeries', 'strings', 'modules', 'gridPhases', 'gridNominalV', 'gridNominalHz', 'ownUseW'] },
  ...modelFields,
  serialNumber:         { type: 'text',      label: ['Serial number', 'Серийный номер'], maxLength: 64, search: true },
  pvPeakPowerW:         { type: 'quantity',  label: ['PV peak power', 'Пиковая мощность СЭС'], unit: 'W', min: 0,
    max: 10_000_000 },
  gridConnectionLimitW: { type: 'quantity',  label: ['Grid connection limit', 'Разрешённая мощность'], unit: 'W', min: 0,
    max: 10_000_000 },
} as const satisfies Fields

const locationFields = {
  address:  { type: 'text',     label: ['Address', 'Адрес'], maxLength: 250 },
  region:   { type: 'text',     label: ['Region', 'Регион'], maxLength: 64 },
  lat:      { type: 'decimal',  label: ['Latitude', 'Широта'], min: -90, max: 90 },
  lon:      { type: 'decimal',  label: ['Longitude', 'Долгота'], min: -180, max: 180 },
  timezone: { type: 'timezone', label: ['Time zone', 'Часовой пояс'], required: true },
} as const satisfies Fields

const essCountFields = {
  boards:           { type: 'count', label: ['Boards', 'Платы'] },
  guests:           { type: 'count', label: ['Guests', 'Гости'] },
  serviceEngineers: { type: 'count', label: ['Service engineers', 'Сервисные инженеры'] },
  openWarnings:     { type: 'count', label: ['Open warnings', 'Предупреждения'] },
} as const satisfies Fields

/** Energy storage system: battery, BMS and power converter, run as one unit at one site. */
export const ess = defineResource({
  name: 'ess',
  label: { one: ['ESS', 'СНЭ'], many: ['ESS', 'СНЭ'] },
  icon: 'battery',
  menu: { group: 'fleet' },
  title: 'code',
  ...essDeletion,
  summary: ['code', 'name'],
  live: true,

  fields: {
    code:          { type: 'code',      label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true,
      pattern: '^[A-Z0-9][A-Z0-9-]{3,31}$',
      help: ['4 to 32 characters: A–Z, 0–9, hyphens', 'От 4 до 32 знаков: A–Z, 0–9, дефисы'] },
    name:          { type: 'text',      label: ['Name', 'Название'], required: true, maxLength: 64, search: true },
    ...nameplateFields,
    profile:       { type: 'enum',      label: ['Profile', 'Профиль'], required: true, options: profiles },
    ownerId:       { type: 'reference', label: ['Owner', 'Владелец'], to: 'client', readOnly: true },
    ownerSince:    { type: 'dateTime',  label: ['Owner since', 'Владеет с'], readOnly: true, detailOnly: true },
    installerId:   { type: 'reference', label: ['Installer', 'Монтажник'], to: 'user', options: 'user?role=installer' },
    installedAt:   { type: 'date',      label: ['Installed', 'Установлена'] },
    warrantyUntil: { type: 'date',      label: ['Warranty until', 'Гарантия до'] },
    lifecycle:     { type: 'status',    label: ['Lifecycle', 'Жизненный цикл'], required: true, default: 'PLANNED',
      starts: ['PLANNED', 'COMMISSIONING', 'IN_OPERATION'], states: essLifecycle },
    location:      { type: 'group',     label: ['Location', 'Расположение'], required: true, fields: locationFields },
    notes:         { type: 'longText',  label: ['Notes', 'Заметки'], maxLength: 4000, detailOnly: true },
    maintenance:   { type: 'group',     label: ['Maintenance', 'Обслуживание'], readOnly: true, fields: maintenanceFields },
    connection:    { type: 'status',    label: ['Connection', 'Связь'], derived: true, readOnly: true,
      states: connectionStates },
    cause:         { type: 'enum',      label: ['Cause', 'Причина'], derived: true, readOnly: true, options: siteCauses },
    lastSignalAt:  { type: 'dateTime',  label: ['Last signal', 'Последний сигнал'], derived: true, readOnly: true,
      relative: true },
    worstWarning:  { type: 'status',    label: ['Worst warning', 'Худшее предупреждение'], derived: true, readOnly: true,
      states: severities },
    trouble:       { type: 'group',     label: ['Board in trouble', 'Плата с неполадкой'], derived: true, readOnly: true,
      detailOnly: true, fields: troubleFields },
    worst:         { type: 'group',     label: ['First open warning', 'Первое открытое предупреждение'], derived: true,
      readOnly: true, detailOnly: true, fields: firstWarningFields },
    health:        { type: 'status',    label: ['Health', 'Исправность'], derived: true, readOnly: true, states: healthStates },
    socPct:        { type: 'percent',   label: ['Charge', 'Заряд'], derived: true, readOnly: true, digits: 1 },
    flow:          { type: 'group',     label: ['Energy flow', 'Потоки энергии'], derived: true, readOnly: true,
      fields: powerFields, flow: { restBelow: 10, parts: powerLines } },
    attention:     placeAttention,
    served: isAssigned,
    counts:        { type: 'group', label: ['Counts', 'Количество'], derived: true, readOnly: true, fields: essCountFields },
  },

  list: {
    columns: ['code', 'name', 'connection', 'counts.openWarnings', 'cause', 'lastSignalAt', 'flow', 'ownerId'],
    search: ['code', 'name', 'model', 'serialNumber', 'location.address'],
    marks: { 'counts.openWarnings': 'worstWarning' },
    card: [['code', 'connection', 'worstWarning'], ['name', 'lastSignalAt', 'cause', 'counts.openWarnings']],
    filters: ['connection', 'health', 'lifecycle', 'profile', 'chemistry', 'ownerId'],
    bulk: ['maintenance'],
    sort: { field: 'attention', order: 'asc' },
    tone: { idle: { field: 'lifecycle', op: 'eq', value: 'DECOMMISSIONED' } },
    views: { offline: { label: ['Offline, stale', 'Нет связи, устарело'], filters: { connection: ['OFFLINE', 'STALE'] } },
      unowned: { label: ['Without an owner', 'Без владельца'], filters: { ownerId_null: true } } },
    empty: { title: ['No systems yet', 'Систем пока нет'],
      text: ['An ESS is a battery with its converter at one site; its boards report here.',
        'СНЭ — это батарея с преобразователем на одном объекте; данные присылают её платы.'],
      first: ['Add the first one, then attach a board to it.', 'Добавьте первую, затем подключите к ней плату.'] },
  },
  sections: {
    identity: ['code', 'name', 'ownerId', 'ownerSince', 'installerId', 'profile', 'lifecycle', 'installedAt', 'warrantyUntil'],
    status: ['connection', 'cause', 'lastSignalAt', 'health', 'worstWarning', 'maintenance', 'counts'],
    nameplate: ['essModelId', 'manufacturer', 'model', 'serialNumber', 'chemistry', 'ratedEnergyWh', 'ratedChargePowerW',
      'ratedDischargePowerW', 'ratedCapacityAh', 'cellsInSeries', 'strings', 'modules', 'pvPeakPowerW', 'gridPhases',
      'gridNominalV', 'gridNominalHz', 'gridConnectionLimitW', 'ownUseW'],
    location: ['location'],
    notes: ['notes'],
  },
  why: essWhy,
  head: 'ess-overview',
  tabs: {
    'control-pcb': { label: ['Controls PCB', 'Платы управления'], resource: 'control-pcb', from: 'ess/{id}/control-pcb',
      columns: ['code', 'role', 'connection.state', 'firmware.currentVersion', 'lifecycle'], actions: ['attach-control-pcb'],
      rowActions: ['remove-control-pcb'],
      empty: { title: ['No board attached', 'Нет подключённых плат'],
        text: ['Attach a board so that this ESS reports.', 'Подключите плату, чтобы СНЭ передавала данные.'] } },
    guest: { label: ['Guests', 'Гости'], resource: 'guest', from: 'ess/{id}/guest', actions: ['invite-guest'],
      rowActions: ['resend', 'remove-guest'] },
    'service-engineer': { label: ['Service Engineers', 'Сервисные инженеры'], resource: 'service-engineer',
      from: 'ess/{id}/service-engineer', actions: ['invite-service-engineer'],
      rowActions: ['resend', 'remove-service-engineer'] },
    telemetry: { label: ['Telemetry', 'Телеметрия'], widget: 'telemetry-chart' },
    'case-file': { label: ['Case files', 'Досье'], resource: 'case-file',
      columns: ['code', 'warningCode', 'controlPcbId', 'startsAt', 'endsAt', 'state', 'createdBy'] },
  },
  actions: essActions,
  figures: {
    connection:  { place: 'now',    by: 'connection', whole: true },
    lifecycle:   { place: 'spread', by: 'lifecycle' },
    unowned:     { place: 'tidy',   label: ['ESS without an owner', 'СНЭ без владельца'], tone: 'warn',
      filters: { ownerId_null: true, lifecycle_ne: 'DECOMMISSIONED' } },
    maintenance: { place: 'tidy',   label: ['ESS under maintenance', 'СНЭ на обслуживании'], tone: 'info',
      filters: { 'maintenance.until_gte': '$now' } },
  },
  access: { list: fleetStaff, create: staff, edit: staff, delete: staff },
  rules: [{ rule: { any: [{ field: 'warrantyUntil', op: 'null', value: true },
          { field: 'installedAt', op: 'null', value: true },
          { field: 'warrantyUntil', op: 'gte', value: '$record.installedAt' }] }, at: 'warrantyUntil',
      message: ['The warranty ends after the installation', 'Гарантия не может закончиться раньше установки'] }],
})
