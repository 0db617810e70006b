import type { Field, Fields, State } from '#schema/field-types.ts'
import { fleetStaff } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'

export const connectionStates = {
  ONLINE:  { tone: 'good', label: ['Online', 'На связи'] },
  STALE:   { tone: 'warn', label: ['Stale', 'Устарело'] },
  OFFLINE: { tone: 'bad',  label: ['Offline', 'Нет связи'] },
  NEVER:   { tone: 'idle', label: ['Never seen', 'Не появлялась'] },
} as const satisfies Record<string, State>

export const severities = {
  INFO:     { tone: 'info', label: ['Info', 'Сведения'] },
  WARNING:  { tone: 'warn', label: ['Warning', 'Предупреждение'] },
  CRITICAL: { tone: 'bad',  label: ['Critical', 'Авария'] },
} as const satisfies Record<string, State>

/** Why a board is not in order. */
export const connectionCauses = {
  BAD_DATA:    ['Bad data', 'Неверные данные'],
  CLOCK:       ['Wrong clock', 'Неверные часы'],
  NO_PACKETS:  ['No packets', 'Нет пакетов'],
  UPDATING:    ['Updating', 'Обновляется'],
  MAINTENANCE: ['Maintenance', 'Обслуживание'],
} as const satisfies Readonly<Record<string, Label>>

/** Why a system is not in order. One board of several may be silent while the system is online by the others. */
export const siteCauses = {
  ...connectionCauses,
  NO_PACKETS: ['Board is silent', 'Плата молчит'],
  NO_BOARD:   ['No board', 'Нет платы'],
} as const satisfies Readonly<Record<string, Label>>

/** True for an engineer who is assigned to the ESS with full rights. Actions ask it by `permit: 'served'`. */
export const isAssigned = {
  type: 'boolean', label: ['You serve it', 'Вы обслуживаете'], derived: true, readOnly: true,
  help: ['Actions here are for engineers who are assigned to the ESS with full rights. You may look at everything.',
    'Действия здесь доступны инженерам, назначенным на СНЭ с полными правами. Смотреть вы можете всё.'],
  access: { read: ['service_engineer'] },
} as const satisfies Field

const label = ['Attention first', 'Сначала важное'] as const

/** The order in which systems and boards open; the server keeps it: server/fleet/shared/keep-attention.ts. */
export const placeAttention = {
  type: 'integer',
  label,
  help: ['By the worst open warning, then by the time without a connection. Systems offline for 90 days come last.',
    'По самому тяжёлому открытому предупреждению, затем по времени без связи; без связи 90 дней — в конце.'],
  sortOnly: { ties: { field: 'code', order: 'asc' } },
} as const satisfies Field

/** The order in which warnings open: server/fleet/warning/warning-order.ts. */
export const warningAttention = {
  type: 'integer',
  label,
  derived: true,
  help: ['By severity, the unacknowledged and the newest first. Then what maintenance mutes, at the end what is over.',
    'По важности, сначала неподтверждённые и новые. Затем заглушённые обслуживанием, в конце прошедшие.'],
  sortOnly: { ties: { field: 'raisedAt', order: 'desc' } },
} as const satisfies Field

export const maintenanceFields = {
  until:  { type: 'dateTime',  label: ['Until', 'До'] },
  // Owners see the end; author and reason are for the staff only.
  reason: { type: 'text',      label: ['Reason', 'Причина'], access: { read: fleetStaff } },
  byId:   { type: 'reference', label: ['By', 'Кем'], to: 'user', access: { read: fleetStaff } },
} as const satisfies Fields

/** The board that the cause of a system is about. */
export const troubleFields = {
  controlPcbId: { type: 'reference', label: ['Control PCB', 'Плата'], to: 'control-pcb' },
  since:        { type: 'dateTime',  label: ['Since', 'С'] },
} as const satisfies Fields

/** The open warning of a system to begin with: the worst, and of several such the newest that nobody has acknowledged. */
export const firstWarningFields = {
  warningId: { type: 'reference', label: ['Warning', 'Предупреждение'], to: 'telemetry-warning' },
  raisedAt:  { type: 'dateTime',  label: ['Raised', 'Обнаружено'] },
} as const satisfies Fields
