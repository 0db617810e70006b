import type { FlowPart } from '#schema/facts/flow-facts.ts'
import type { Fields } from '#schema/field-types.ts'

/** Power of a site by its four ends; signs as in the channels: discharging and import are positive. */
export const powerFields = {
  pvPowerW:      { type: 'quantity', label: ['Solar', 'Солнце'],    unit: 'W' },
  gridPowerW:    { type: 'quantity', label: ['Grid', 'Сеть'],       unit: 'W' },
  batteryPowerW: { type: 'quantity', label: ['Battery', 'Батарея'], unit: 'W' },
  loadPowerW:    { type: 'quantity', label: ['Load', 'Нагрузка'],   unit: 'W' },
} as const satisfies Fields

export const powerLines = {
  pvPowerW:      { icon: 'sun',     tone: 'warn' },
  gridPowerW:    { icon: 'bolt',    tone: 'info', positive: ['import', 'из сети'], negative: ['export', 'в сеть'] },
  batteryPowerW: { icon: 'battery', tone: 'good', positive: ['discharging', 'разряд'],
    negative: ['charging', 'заряд'] },
  loadPowerW:    { icon: 'home',    consumes: true },
} as const satisfies Record<keyof typeof powerFields, FlowPart>
