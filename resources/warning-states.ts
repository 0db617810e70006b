import type { State } from '#schema/field-types.ts'

export const severities = {
  INFO:     { tone: 'info', label: ['Info', 'Сведения'] },
  WARNING:  { tone: 'warn', label: ['Warning', 'Предупреждение'] },
  CRITICAL: { tone: 'bad',  label: ['Critical', 'Авария'] },
} as const satisfies Record<string, State>

export const warningStates = {
  ACTIVE_UNACK:  { tone: 'bad',  label: ['Active', 'Активно'] },
  ACTIVE_ACK:    { tone: 'warn', label: ['Active, acknowledged', 'Активно, принято'] },
  CLEARED_UNACK: { tone: 'info', label: ['Over, not acknowledged', 'Снято, не принято'] },
  CLEARED_ACK:   { tone: 'idle', label: ['Over', 'Снято'] },
} as const satisfies Record<string, State>
