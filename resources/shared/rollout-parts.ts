import type { Fields } from '#schema/field-types.ts'
import { rolloutWaits } from './updates.ts'

/** Boards by reason, the first few of them by name. */
export const waitFields = {
  reason:   { type: 'enum',       label: ['Reason', 'Причина'], options: rolloutWaits },
  boards:   { type: 'integer',    label: ['Boards', 'Плат'] },
  examples: { type: 'references', label: ['Among them', 'Среди них'], to: 'control-pcb' },
} as const satisfies Fields

/** A board of the first wave, and what spoke for it. */
export const firstFields = {
  board:            { type: 'reference', label: ['Control PCB', 'Плата'], to: 'control-pcb' },
  fitness:          { type: 'enum',      label: ['When it was chosen', 'При выборе'], options: {
    READY:     ['Online, no warning open', 'На связи, предупреждений нет'],
    NOT_READY: ['Silent, busy, or with an open warning', 'Не на связи, занята или с предупреждением'],
  } },
  hardwareRevision: { type: 'text',      label: ['Hardware', 'Аппаратура'] },
  fromVersion:      { type: 'semver',    label: ['From version', 'С версии'] },
  alike:            { type: 'integer',   label: ['Boards like it', 'Таких плат'] },
} as const satisfies Fields

/** Counts of a wave; their sum is its boards. */
export const waveFields = {
  wave:      { type: 'integer', label: ['Wave', 'Волна'] },
  succeeded: { type: 'count',   label: ['Succeeded', 'Успешно'] },
  failed:    { type: 'count',   label: ['Failed', 'Неудачно'] },
  open:      { type: 'count',   label: ['Under way', 'В работе'] },
  waiting:   { type: 'count',   label: ['Waiting', 'Ждут'] },
  skipped:   { type: 'count',   label: ['Left out', 'Пропущено'] },
} as const satisfies Fields
