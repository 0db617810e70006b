import type { State } from '#schema/field-types.ts'

export const essLifecycle = {
  PLANNED:        { tone: 'idle', label: ['Planned', 'Запланирована'], next: ['COMMISSIONING'] },
  COMMISSIONING:  { tone: 'warn', label: ['Commissioning', 'Пусконаладка'], next: ['IN_OPERATION'] },
  IN_OPERATION:   { tone: 'good', label: ['In operation', 'В работе'], next: ['DECOMMISSIONED'] },
  DECOMMISSIONED: { tone: 'idle', label: ['Decommissioned', 'Выведена'] },
} as const satisfies Record<string, State>

export const boardLifecycle = {
  REGISTERED:  { tone: 'idle', label: ['Registered', 'Зарегистрирована'], next: ['ACTIVE', 'RETIRED'] },
  ACTIVE:      { tone: 'good', label: ['Active', 'В работе'], next: ['QUARANTINED', 'RETIRED'] },
  QUARANTINED: { tone: 'warn', label: ['Quarantined', 'На карантине'], next: ['ACTIVE', 'RETIRED'] },
  RETIRED:     { tone: 'idle', label: ['Retired', 'Списана'] },
} as const satisfies Record<string, State>

export const connectionStates = {
  ONLINE:  { tone: 'good', label: ['Online', 'На связи'] },
  STALE:   { tone: 'warn', label: ['Stale', 'Нет свежих данных'] },
  OFFLINE: { tone: 'bad',  label: ['Offline', 'Нет связи'] },
  NEVER:   { tone: 'idle', label: ['Never seen', 'Не появлялась'] },
} as const satisfies Record<string, State>

export const healthStates = {
  OK:       { tone: 'good', label: ['OK', 'Норма'] },
  INFO:     { tone: 'info', label: ['Info', 'Сведения'] },
  WARNING:  { tone: 'warn', label: ['Warning', 'Предупреждение'] },
  CRITICAL: { tone: 'bad',  label: ['Critical', 'Авария'] },
  UNKNOWN:  { tone: 'idle', label: ['Unknown', 'Неизвестно'] },
} as const satisfies Record<string, State>

export const configurationStates = {
  IN_SYNC:  { tone: 'good', label: ['In sync', 'Применена'] },
  PENDING:  { tone: 'info', label: ['Pending', 'Ожидает применения'] },
  REJECTED: { tone: 'bad',  label: ['Rejected', 'Отклонена'] },
  DRIFTED:  { tone: 'warn', label: ['Drifted', 'Расходится'] },
} as const satisfies Record<string, State>

export const firmwareStates = {
  DRAFT:      { tone: 'idle', label: ['Draft', 'Черновик'], next: ['TESTING', 'ARCHIVED'] },
  TESTING:    { tone: 'info', label: ['Testing', 'Испытания'], next: ['RELEASED', 'REVOKED', 'ARCHIVED'] },
  RELEASED:   { tone: 'good', label: ['Released', 'Выпущена'], next: ['DEPRECATED', 'REVOKED'] },
  DEPRECATED: { tone: 'warn', label: ['Deprecated', 'Устарела'], next: ['RELEASED', 'REVOKED', 'ARCHIVED'] },
  REVOKED:    { tone: 'bad',  label: ['Revoked', 'Отозвана'], next: ['ARCHIVED'] },
  ARCHIVED:   { tone: 'idle', label: ['Archived', 'В архиве'] },
} as const satisfies Record<string, State>

export const packageStates = {
  VALID:     { tone: 'good', label: ['Valid', 'Верный'] },
  PARTIAL:   { tone: 'warn', label: ['Partial', 'Частичный'] },
  INVALID:   { tone: 'bad',  label: ['Invalid', 'Неверный'] },
  DUPLICATE: { tone: 'idle', label: ['Duplicate', 'Повтор'] },
} as const satisfies Record<string, State>

export const rolloutStates = {
  DRAFT:    { tone: 'idle', label: ['Draft', 'Черновик'], next: ['RUNNING'] },
  RUNNING:  { tone: 'info', label: ['Running', 'Идёт'], next: ['PAUSED', 'FINISHED', 'STOPPED'] },
  PAUSED:   { tone: 'warn', label: ['Paused', 'Приостановлена'], next: ['RUNNING', 'STOPPED'] },
  FINISHED: { tone: 'good', label: ['Finished', 'Завершена'] },
  STOPPED:  { tone: 'idle', label: ['Stopped', 'Остановлена'] },
} as const satisfies Record<string, State>
