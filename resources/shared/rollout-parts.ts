import type { Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { rolloutWaits } from './updates.ts'

/** Payloads that a rollout can bring to its boards. */
export const rolloutPayloads = {
  FIRMWARE:      ['Firmware', 'Прошивка'],
  CONFIGURATION: ['Configuration template', 'Шаблон конфигурации'],
} as const satisfies Record<string, Label>

export const bringsFirmware = { field: 'brings', op: 'eq', value: 'FIRMWARE' } as const
export const bringsTemplate = { field: 'brings', op: 'eq', value: 'CONFIGURATION' } as const

/** A wave as it is planned: how many boards, and how long and how well they must run. */
export const wavePlanFields = {
  boards:      { type: 'integer', label: ['Boards', 'Плат'], min: 1, max: 100_000 },
  sharePct:    { type: 'percent', label: ['or up to', 'или до'], min: 1, max: 100 },
  soakMin:     { type: 'integer', label: ['Observation, min', 'Наблюдение, мин'], min: 0, max: 10_080, default: 60 },
  successPct:  { type: 'percent', label: ['Success needed', 'Нужно успешных'], min: 1, max: 100, default: 90 },
  maxFailures: { type: 'integer', label: ['Pause at failures', 'Пауза при неудачах'], min: 1, max: 100_000,
    help: ['Leave empty: 1 in the first wave, then 10 %', 'Пусто — 1 в первой волне, далее 10 %'] },
} as const satisfies Fields

/** Boards by reason, the first few of them by name. */
export const waitFields = {
  reason:   { type: 'enum',       label: ['Reason', 'Причина'], options: rolloutWaits },
  boards:   { type: 'integer',    label: ['Boards', 'Плат'] },
  examples: { type: 'references', label: ['Among them', 'Среди них'], to: 'control-pcb' },
} as const satisfies Fields

/** How ready a board was when it was chosen; NOT_READY: one of the three before they were told apart. */
const boardFitness = {
  READY:     ['Online, no warning open', 'На связи, предупреждений нет'],
  SILENT:    ['Not online', 'Не на связи'],
  BUSY:      ['In another update', 'Уже обновлялась'],
  WARNED:    ['A warning was open', 'Было открыто предупреждение'],
  NOT_READY: ['Silent, busy, or with an open warning', 'Не на связи, занята или с предупреждением'],
} as const satisfies Record<string, Label>
export type BoardFitness = keyof typeof boardFitness

/** A board of the first wave, and what spoke for it. */
export const firstFields = {
  board:            { type: 'reference', label: ['Control PCB', 'Плата'], to: 'control-pcb' },
  fitness:          { type: 'enum',      label: ['State when chosen', 'Состояние при выборе'], options: boardFitness },
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
