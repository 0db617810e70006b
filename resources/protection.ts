import type { Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'

/** Limits that protect the cells; a wrong one can hurt people. */
export const protectionFields = {
  cellVoltageMinMv: { type: 'quantity', danger: true, label: ['Lowest cell voltage', 'Мин. напряжение ячейки'], required: true,
    unit: 'mV', min: 1500, max: 3500, default: 2900 },
  cellVoltageMaxMv: { type: 'quantity', danger: true, label: ['Highest cell voltage', 'Макс. напряжение ячейки'],
    required: true, unit: 'mV', min: 2400, max: 4250, default: 3550 },
  chargeCurrentMaxA: { type: 'quantity', danger: true, label: ['Highest charge current', 'Макс. ток заряда'], unit: 'A', min: 1,
    max: 5000 },
  dischargeCurrentMaxA: { type: 'quantity', danger: true, label: ['Highest discharge current', 'Макс. ток разряда'], unit: 'A',
    min: 1, max: 5000 },
  chargeTempMinC: { type: 'quantity', danger: true, label: ['Charge from', 'Заряд от'], required: true, unit: '°C', min: -10,
    max: 10, default: 0 },
  chargeTempMaxC: { type: 'quantity', danger: true, label: ['Charge up to', 'Заряд до'], required: true, unit: '°C', min: 35,
    max: 60, default: 50 },
  dischargeTempMinC: { type: 'quantity', danger: true, label: ['Discharge from', 'Разряд от'], required: true, unit: '°C',
    min: -30, max: 5, default: -10 },
  dischargeTempMaxC: { type: 'quantity', danger: true, label: ['Discharge up to', 'Разряд до'], required: true, unit: '°C',
    min: 40, max: 65, default: 55 },
} as const satisfies Fields

/** Why somebody may not change what can hurt. */
export const dangerRefusals = {
  ROLE: ['Only an admin changes it, or an engineer who serves the ESS, during maintenance',
    'Меняет только администратор или инженер, который обслуживает СНЭ, во время обслуживания'],
  NOT_ASSIGNED: ['Only an engineer who serves this ESS in full changes it, during maintenance',
    'Меняет только инженер с полным доступом к этой СНЭ, во время обслуживания'],
  NO_MAINTENANCE: ['Switch the maintenance of the ESS on to change it', 'Чтобы изменить, включите режим обслуживания СНЭ'],
} as const satisfies Record<string, Label>
