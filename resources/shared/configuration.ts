import type { Field, Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { windowFields, windowLine } from './week-window.ts'

const modes = {
  SELF_CONSUMPTION: ['Self-consumption', 'Собственное потребление'],
  PEAK_SHAVING:     ['Peak shaving', 'Срезание пиков'],
  TIME_OF_USE:      ['Time of use', 'По тарифу'],
  BACKUP:           ['Backup', 'Резерв'],
  MANUAL:           ['Manual', 'Вручную'],
  STANDBY:          ['Standby', 'Ожидание'],
} as const

/** Durations of a packet capture in minutes, at most a day. */
export const captureSpans = {
  15:   ['15 minutes', '15 минут'],
  60:   ['1 hour', '1 час'],
  240:  ['4 hours', '4 часа'],
  720:  ['12 hours', '12 часов'],
  1440: ['24 hours', '24 часа'],
} as const satisfies Record<string, Label>

/** Explains the effect of a capture. */
export const captureHelp = ['Until then packets are kept whole, beyond 2 KiB too, and those sent again. It ends automatically.',
  'До этого времени пакеты хранятся целиком, и длиннее 2 КиБ, и повторно присланные. Завершится само.'] as const satisfies Label

const logLevels = ['ERROR', 'WARN', 'INFO', 'DEBUG'] as const

const logLevelHelp = ['DEBUG ends automatically after 60 minutes, and the previous level returns.',
  'DEBUG завершится сам через 60 минут: вернётся прежний уровень.'] as const satisfies Label

/** Limits that protect the cells; a wrong one can hurt people. */
const protectionFields = {
  cellVoltageMinMv:     { type: 'quantity', danger: true, label: ['Lowest cell voltage', 'Мин. напряжение ячейки'],
    required: true, unit: 'mV', min: 1500, max: 3500, default: 2900 },
  cellVoltageMaxMv:     { type: 'quantity', danger: true, label: ['Highest cell voltage', 'Макс. напряжение ячейки'],
    required: true, unit: 'mV', min: 2400, max: 4250, default: 3550 },
  chargeCurrentMaxA:    { type: 'quantity', danger: true, label: ['Highest charge current', 'Макс. ток заряда'], unit: 'A',
    min: 1, max: 5000 },
  dischargeCurrentMaxA: { type: 'quantity', danger: true, label: ['Highest discharge current', 'Макс. ток разряда'], unit: 'A',
    min: 1, max: 5000 },
  chargeTempMinC:       { type: 'quantity', danger: true, label: ['Charge from', 'Заряд от'], required: true, unit: '°C',
    min: -10, max: 10, default: 0 },
  chargeTempMaxC:       { type: 'quantity', danger: true, label: ['Charge up to', 'Заряд до'], required: true, unit: '°C',
    min: 35, max: 60, default: 50 },
  dischargeTempMinC:    { type: 'quantity', danger: true, label: ['Discharge from', 'Разряд от'], required: true, unit: '°C',
    min: -30, max: 5, default: -10 },
  dischargeTempMaxC:    { type: 'quantity', danger: true, label: ['Discharge up to', 'Разряд до'], required: true, unit: '°C',
    min: 40, max: 65, default: 55 },
} as const satisfies Fields

/** Reasons why the viewer may not change a protective limit. */
export const dangerRefusals = {
  ROLE:           ['Only an admin changes it, or an engineer who serves the ESS, during maintenance',
    'Меняет только администратор или инженер, который обслуживает СНЭ, во время обслуживания'],
  NOT_ASSIGNED:   ['Only an engineer who serves this ESS in full changes it, during maintenance',
    'Меняет только инженер с полным доступом к этой СНЭ, во время обслуживания'],
  NO_MAINTENANCE: ['Switch the maintenance of the ESS on to change it', 'Чтобы изменить, включите режим обслуживания СНЭ'],
} as const satisfies Record<string, Label>

/** Settings of a board. Ranges are the widest of any chemistry; the server narrows them to the ESS of the board. */
export const configurationFields = {
  reportIntervalS:      { type: 'duration', label: ['Report interval', 'Интервал отчётов'], required: true, min: 5, max: 3600,
    default: 60 },
  keepaliveIntervalS:   { type: 'duration', label: ['Keep-alive interval', 'Интервал сигнала связи'], required: true, min: 10,
    max: 600, default: 30 },
  operatingMode:        { type: 'enum',     label: ['Operating mode', 'Режим работы'], required: true,
    default: 'SELF_CONSUMPTION', options: modes },
  socMinPct:            { type: 'percent',  label: ['Lowest charge', 'Минимальный заряд'], required: true, min: 0, max: 50,
    default: 10 },
  socMaxPct:            { type: 'percent',  label: ['Highest charge', 'Максимальный заряд'], required: true, min: 50, max: 100,
    default: 100 },
  backupReservePct:     { type: 'percent',  label: ['Backup reserve', 'Резерв'], required: true, min: 0, max: 100,
    default: 20 },
  chargePowerLimitW:    { type: 'quantity', label: ['Charge power limit', 'Предел мощности заряда'], unit: 'W', min: 0,
    max: 5_000_000 },
  dischargePowerLimitW: { type: 'quantity', label: ['Discharge power limit', 'Предел мощности разряда'], unit: 'W', min: 0,
    max: 5_000_000 },
  gridImportLimitW:     { type: 'quantity', label: ['Grid import limit', 'Предел потребления из сети'], unit: 'W', min: 0,
    max: 10_000_000 },
  gridExportLimitW:     { type: 'quantity', label: ['Grid export limit', 'Предел отдачи в сеть'], unit: 'W', min: 0,
    max: 10_000_000 },
  manualPowerW:         { type: 'quantity', danger: true, label: ['Manual power', 'Ручная мощность'], unit: 'W',
    min: -5_000_000, max: 5_000_000, default: 0 },
  schedule:             { type: 'list',     label: ['Schedule', 'Расписание'], maxItems: 8, fields: {
    ...windowFields,
    mode:         { type: 'enum',     label: ['Mode', 'Режим'], required: true, options: modes },
    powerW:       { type: 'quantity', danger: true, label: ['Power', 'Мощность'], unit: 'W', min: -5_000_000, max: 5_000_000 },
    targetSocPct: { type: 'percent',  label: ['Target charge', 'Целевой заряд'], min: 0, max: 100 },
  } },
  ...protectionFields,
  balancingEnabled:     { type: 'boolean',  label: ['Balancing', 'Балансировка'], required: true, default: true },
  balancingStartMv:     { type: 'quantity', label: ['Balancing from', 'Балансировка от'], required: true, unit: 'mV', min: 3300,
    max: 3500, default: 3400 },
  balancingDeltaMv:     { type: 'quantity', label: ['Balancing delta', 'Порог балансировки'], required: true, unit: 'mV',
    min: 3, max: 50, default: 10 },
  timezone:             { type: 'timezone', label: ['Time zone', 'Часовой пояс'] },
  remoteControlEnabled: { type: 'boolean',  label: ['Remote control', 'Удалённое управление'], required: true, default: true },
  autoUpdate:           { type: 'boolean',  label: ['Automatic updates', 'Автоматические обновления'], required: true,
    default: false,
    help: ['Newer released firmware is installed automatically', 'Новые выпущенные прошивки ставятся без запроса'] },
  maintenanceWindow:    { type: 'group',    label: ['Maintenance window', 'Окно обслуживания'], line: windowLine,
    fields: windowFields,
    help: ['Updates of rollouts and automatic ones begin only then',
      'Обновления раскаток и автоматические начинаются только в это время'] },
  warningOverrides:     { type: 'list',     label: ['Warning thresholds', 'Пороги предупреждений'], maxItems: 30, fields: {
    code:   { type: 'code',     label: ['Code', 'Код'], required: true, pattern: '^[A-Z][A-Z_]{2,40}$',
      help: ['Like OVER_TEMP', 'Например, OVER_TEMP'] },
    raise:  { type: 'decimal',  label: ['Raise at', 'Поднять при'], required: true, digits: 2 },
    clear:  { type: 'decimal',  label: ['Clear at', 'Снять при'], required: true, digits: 2 },
    delayS: { type: 'duration', label: ['Delay', 'Задержка'], required: true, max: 86_400 },
  } },
  logLevel:             { type: 'enum',     label: ['Log level', 'Уровень журнала'], required: true, default: 'WARN',
    options: logLevels, help: logLevelHelp },
  rawCaptureUntil:      { type: 'dateTime', label: ['Capture raw frames until', 'Запись пакетов до'], help: captureHelp },
} as const satisfies Fields

/** Facts of a place or of a moment, which no two boards share. */
const ownOfBoard: readonly string[] = ['timezone', 'rawCaptureUntil']

/** Settings of a template: an empty one keeps its value on the board, so none is required or has a default. */
const open = ({ required: _required, default: _default, ...field }: Field & { default?: unknown }) => field as Field

/** The settings that a template may hold, with the ranges and dangers of the form of a board. */
export const templateFields: Fields = Object.fromEntries(
  Object.entries<Field>(configurationFields).flatMap(([name, field]) =>
    ownOfBoard.includes(name) ? [] : [[name, open(field)] as const]),
)
