import type { Fields, State } from '#schema/field-types.ts'
import { transports } from './choices.ts'
import { connectionCauses, connectionStates } from './status-parts.ts'

const configurationStates = {
  IN_SYNC:  { tone: 'good', label: ['In sync', 'Применена'] },
  PENDING:  { tone: 'info', label: ['Pending', 'Ожидает применения'] },
  REJECTED: { tone: 'bad',  label: ['Rejected', 'Отклонена'] },
  DRIFTED:  { tone: 'warn', label: ['Drifted', 'Расходится'] },
} as const satisfies Record<string, State>

/** The desired configuration of a board beside the template that it had last. */
export const templateStates = {
  FOLLOWS: { tone: 'good', label: ['As its template', 'Как в шаблоне'] },
  DIFFERS: { tone: 'warn', label: ['Differs', 'Отличается'] },
} as const satisfies Record<string, State>

export const boardFirmwareFields = {
  currentVersion:    { type: 'semver',    label: ['Firmware', 'Прошивка'] },
  currentFirmwareId: { type: 'reference', label: ['Firmware file', 'Файл прошивки'], to: 'firmware' },
  previousVersion:   { type: 'semver',    label: ['Previous', 'Предыдущая'] },
  bootloaderVersion: { type: 'semver',    label: ['Bootloader', 'Загрузчик'] },
  reportedAt:        { type: 'dateTime',  label: ['Reported', 'Получено'] },
  isLatest:          { type: 'boolean',   label: ['On the latest firmware', 'На последней прошивке'] },
} as const satisfies Fields

export const boardConnectionFields = {
  state:             { type: 'status',   label: ['Connection', 'Связь'], states: connectionStates },
  cause:             { type: 'enum',     label: ['Cause', 'Причина'], options: {
    OK: ['In order', 'В порядке'], ...connectionCauses } },
  lastPacketAt:      { type: 'dateTime', label: ['Last packet', 'Последний пакет'], relative: true },
  lastValidPacketAt: { type: 'dateTime', label: ['Last valid packet', 'Последний верный пакет'], relative: true },
  lastSampleAt:      { type: 'dateTime', label: ['Last sample', 'Последнее измерение'], relative: true },
  transport:         { type: 'enum',     label: ['Transport', 'Канал связи'], options: transports },
  rssiDbm:           { type: 'quantity', label: ['Signal', 'Сигнал'], unit: 'dBm' },
  ip:                { type: 'text',     label: ['IP address', 'IP-адрес'] },
} as const satisfies Fields

export const boardKeyFields = {
  madeAt: { type: 'dateTime', label: ['Made', 'Создан'],                       relative: true },
  usedAt: { type: 'dateTime', label: ['Last used', 'Последнее использование'], relative: true, none: ['Never', 'Никогда'] },
} as const satisfies Fields

export const packetQualityFields = {
  received:   { type: 'count',   label: ['Received', 'Получено'] },
  valid:      { type: 'count',   label: ['Valid', 'Верных'] },
  partial:    { type: 'count',   label: ['Partial', 'Частичных'] },
  invalid:    { type: 'count',   label: ['Invalid', 'Неверных'] },
  notValid:   { type: 'count',   label: ['Partial or invalid', 'Частичных и неверных'] },
  unread:     { type: 'count',   label: ['Of an unknown version', 'Неизвестной версии'] },
  duplicate:  { type: 'count',   label: ['Repeated', 'Повторов'] },
  missed:     { type: 'count',   label: ['Missed', 'Пропущено'] },
  invalidPct: { type: 'percent', label: ['Invalid share', 'Доля неверных'], digits: 1 },
} as const satisfies Fields

export const boardHardwareFields = {
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

export const boardConfigurationFields = {
  state:           { type: 'status',   label: ['Configuration', 'Конфигурация'], states: configurationStates },
  desiredVersion:  { type: 'integer',  label: ['Desired version', 'Заданная версия'] },
  reportedVersion: { type: 'integer',  label: ['Reported version', 'Версия на плате'] },
  requestedAt:     { type: 'dateTime', label: ['Pending since', 'Ожидает с'], relative: true },
  rejectReason:    { type: 'text',     label: ['Refused because', 'Причина отказа'] },
} as const satisfies Fields
