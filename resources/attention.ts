import type { Field } from '#schema/field-types.ts'

const label = ['Attention first', 'Сначала важное'] as const

/** The order in which systems and boards open; the server keeps it in server/attention. */
export const placeAttention = {
  type: 'integer', label,
  help: ['By the worst open warning, then by the time without a connection. Not seen for 90 days: last.',
    'По самому тяжёлому открытому предупреждению, затем по времени без связи. Не видно 90 дней — в конце.'],
  sortOnly: { ties: { field: 'code', order: 'asc' } },
} as const satisfies Field

/** The order in which warnings open: server/fleet/warning/warning-order.ts. */
export const warningAttention = {
  type: 'integer', label, derived: true,
  help: ['By severity, the unacknowledged and the newest first. Then what maintenance mutes, at the end what is over.',
    'По важности, сначала не принятые и новые. Затем заглушённые обслуживанием, в конце снятые.'],
  sortOnly: { ties: { field: 'raisedAt', order: 'desc' } },
} as const satisfies Field
