import type { Channel } from '#resources/fleet/channel-of.ts'
import type { Label } from '#schema/words.ts'
import { critical, type Level, latches, trips, warning } from './levels.ts'

/** How a value is held against a level: the higher the worse, the lower the worse, or the further from a centre the worse. */
export type Direction = 'above' | 'below' | { around: number }

/** Levels that may be set for the fleet; `over` and `under` are those of the chemistry of the cells. A condition lasts `delayS` first. */
type ThresholdRow = { direction: Direction; unit: string; delayS: number; levels: readonly Level[] | 'over' | 'under' }

/**
 * One warning. `flag`: the bit of `eventFlags` that reports it, as in SunSpec's battery model, or a free bit where that has none.
 * `threshold` and `channel`: the value of a channel, times `scale`, is compared with levels; without a channel,
 * server/fleet/warning/measures.ts measures it; `ofClock`: it is how far the board's clock is off. Neither: a rule of the server detects it. `subject`: the channel that names the cell.
 * `by`: who detects it, the board by default. `update`: a critical warning blocks all firmware updates at its site, except CURED, which
 * allows updates to another version than its subject; CURABLE, which a new firmware may cure, so that it blocks none but fails one that
 * was just installed; OWN_BOARD, which blocks its own board only; and FOREIGN, which firmware cannot cause, so that it does not fail an
 * update that was just installed.
 */
type WarningRow = { title: Label; by?: 'SERVER'; subject?: Channel; update?: 'CURED' | 'CURABLE' | 'OWN_BOARD' | 'FOREIGN' } & (
  | { flag: { bit: number; level: Level; delayS: number } }
  | { threshold: ThresholdRow; channel?: Channel; scale?: number; ofClock?: true }
  | { flag?: never; threshold?: never }
)

const stops = critical(0.5, 0.5, latches)
const noted = warning(0.5, 0.5)

export const warnings = {
  CELL_OVER_VOLT:         { title: ['Cell voltage too high', 'Высокое напряжение ячейки'],
    threshold: { direction: 'above', unit: 'V', delayS: 10, levels: 'over' },
    channel: 'cellVoltageMaxMv', scale: 0.001, subject: 'cellVoltageMaxPos' },
  CELL_UNDER_VOLT:        { title: ['Cell voltage too low', 'Низкое напряжение ячейки'],
    threshold: { direction: 'below', unit: 'V', delayS: 10, levels: 'under' },
    channel: 'cellVoltageMinMv', scale: 0.001, subject: 'cellVoltageMinPos' },
  CELL_IMBALANCE:         { title: ['Cells differ in voltage', 'Разбаланс ячеек'],
    threshold: { direction: 'above', unit: 'mV', delayS: 600, levels: [warning(80, 50), critical(200, 120)] },
    channel: 'cellDeltaMv', subject: 'cellVoltageMinPos' },
  OVER_TEMP:              { title: ['Battery too hot', 'Перегрев батареи'],
    threshold: { direction: 'above', unit: '°C', delayS: 60, levels: [warning(45, 42), critical(55, 50, trips)] },
    channel: 'cellTempMaxC' },
  UNDER_TEMP:             { title: ['Too cold to charge', 'Слишком холодно для заряда'],
    threshold: { direction: 'below', unit: '°C', delayS: 60, levels: [warning(5, 7), critical(0, 3, trips)] },
    channel: 'cellTempMinC' },
  TEMP_IMBALANCE:         { title: ['Cells differ in temperature', 'Разброс температур ячеек'],
    threshold: { direction: 'above', unit: 'K', delayS: 300, levels: [warning(8, 5), critical(15, 10)] } },
  MOSFET_TEMP:            { title: ['Power electronics too hot', 'Перегрев силовой электроники'],
    threshold: { direction: 'above', unit: '°C', delayS: 30, levels: [warning(75, 70), critical(90, 80, trips)] },
    channel: 'mosfetTempC' },
  OVER_CHARGE_CURRENT:    { title: ['Charge current above its limit', 'Ток заряда выше предела'],
    threshold: { direction: 'above', unit: '%', delayS: 10, levels: [warning(105, 100), critical(120, 105, trips)] } },
  OVER_DISCHARGE_CURRENT: { title: ['Discharge current above its limit', 'Ток разряда выше предела'],
    threshold: { direction: 'above', unit: '%', delayS: 10, levels: [warning(105, 100), critical(120, 105, trips)] } },
  SOC_LOW:                { title: ['Charge too low', 'Низкий заряд'] },
  SOH_LOW:                { title: ['Battery worn', 'Износ батареи'],
    threshold: { direction: 'below', unit: '%', delayS: 86_400, levels: [warning(80, 81), critical(70, 71)] },
    channel: 'sohPct' },
  GRID_VOLT:              { title: ['Grid voltage out of range', 'Напряжение сети вне нормы'],
    threshold: { direction: { around: 230 }, unit: 'V', delayS: 60,
      levels: [warning(23, 21), critical(34, 28, { under: { raise: 46, clear: 40 } })] },
    update: 'FOREIGN' },
  GRID_FREQ:              { title: ['Grid frequency out of range', 'Частота сети вне нормы'],
    threshold: { direction: { around: 50 }, unit: 'Hz', delayS: 60,
      levels: [warning(0.5, 0.4), critical(1.5, 1.2, { under: { raise: 2.5, clear: 2.2 } })] },
    update: 'FOREIGN' },
  INSULATION_FAULT:       { title: ['Insulation fault', 'Нарушение изоляции'],
    flag: { bit: 22, level: stops, delayS: 0 } },
  CONTACTOR_FAULT:        { title: ['Contactor fault', 'Неисправность контактора'],
    flag: { bit: 20, level: stops, delayS: 0 } },
  FUSE_OPEN:              { title: ['Fuse open', 'Перегорел предохранитель'],
    flag: { bit: 27, level: stops, delayS: 0 } },
  PRECHARGE_FAIL:         { title: ['Precharge failed', 'Сбой предзаряда'],
    flag: { bit: 30, level: stops, delayS: 0 } },
  BMS_INTERNAL:           { title: ['Fault inside the battery management', 'Внутренняя ошибка BMS'],
    flag: { bit: 25, level: stops, delayS: 0 } },
  FAN_FAULT:              { title: ['Fan fault', 'Неисправность вентилятора'],
    flag: { bit: 21, level: noted, delayS: 60 } },
  SENSOR_FAULT:           { title: ['Sensor fault', 'Неисправность датчика'],
    flag: { bit: 26, level: noted, delayS: 60 } },
  DOOR_OPEN:              { title: ['Door open', 'Открыта дверь'],
    flag: { bit: 23, level: noted, delayS: 60 } },
  COMM_LOST:              { title: ['Board does not report', 'Плата не выходит на связь'], update: 'OWN_BOARD' },
  PKT_INVALID_RATE:       { title: ['Many damaged packets', 'Много неверных пакетов'], update: 'CURABLE' },
  CLOCK_DRIFT:            { title: ['Clock of the board is wrong', 'Часы платы сбиты'], by: 'SERVER', ofClock: true,
    threshold: { direction: 'above', unit: 's', delayS: 0, levels: [warning(60, 10), critical(3_600, 60)] } },
  REBOOT_LOOP:            { title: ['Board restarts again and again', 'Плата постоянно перезагружается'], by: 'SERVER',
    threshold: { direction: 'above', unit: '', delayS: 0, levels: [warning(3, 2), critical(6, 2)] } },
  CONFIG_REJECTED:        { title: ['Configuration refused by the board', 'Плата отклонила конфигурацию'] },
  CONFIG_DRIFT:           { title: ['Configuration differs on the board', 'Конфигурация на плате расходится'] },
  FW_UPDATE_FAILED:       { title: ['Firmware update failed', 'Обновление прошивки не удалось'], update: 'CURED' },
  FW_REVOKED:             { title: ['Board runs a revoked firmware', 'На плате отозванная прошивка'], update: 'CURED' },
  ENERGY_IMBALANCE:       { title: ['Meters contradict each other', 'Показания счётчиков не сходятся'], by: 'SERVER',
    threshold: { direction: 'above', unit: '%', delayS: 3_600, levels: [warning(5, 4)] } },
  OFF_GRID:               { title: ['Site runs off the grid', 'Объект работает без сети'] },
  MAINTENANCE_ON:         { title: ['Maintenance is on', 'Идёт обслуживание'] },
} as const satisfies Record<string, WarningRow>
