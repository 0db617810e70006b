import type { Label } from '#schema/words.ts'

/** Every warning by its stable code, with the title that people read. */
export const warningCodes = {
  CELL_OVER_VOLT: ['Cell voltage too high', 'Высокое напряжение ячейки'],
  CELL_UNDER_VOLT: ['Cell voltage too low', 'Низкое напряжение ячейки'],
  CELL_IMBALANCE: ['Cells differ in voltage', 'Разбаланс ячеек'],
  OVER_TEMP: ['Battery too hot', 'Перегрев батареи'],
  UNDER_TEMP: ['Too cold to charge', 'Слишком холодно для заряда'],
  TEMP_IMBALANCE: ['Cells differ in temperature', 'Разброс температур ячеек'],
  MOSFET_TEMP: ['Power electronics too hot', 'Перегрев силовой электроники'],
  OVER_CHARGE_CURRENT: ['Charge current above its limit', 'Ток заряда выше предела'],
  OVER_DISCHARGE_CURRENT: ['Discharge current above its limit', 'Ток разряда выше предела'],
  SOC_LOW: ['Charge too low', 'Низкий заряд'],
  SOH_LOW: ['Battery worn', 'Износ батареи'],
  GRID_VOLT: ['Grid voltage out of range', 'Напряжение сети вне нормы'],
  GRID_FREQ: ['Grid frequency out of range', 'Частота сети вне нормы'],
  INSULATION_FAULT: ['Insulation fault', 'Нарушение изоляции'],
  CONTACTOR_FAULT: ['Contactor fault', 'Неисправность контактора'],
  FUSE_OPEN: ['Fuse open', 'Перегорел предохранитель'],
  PRECHARGE_FAIL: ['Precharge failed', 'Сбой предзаряда'],
  BMS_INTERNAL: ['Fault inside the battery management', 'Внутренняя ошибка BMS'],
  FAN_FAULT: ['Fan fault', 'Неисправность вентилятора'],
  SENSOR_FAULT: ['Sensor fault', 'Неисправность датчика'],
  DOOR_OPEN: ['Door open', 'Открыта дверь'],
  COMM_LOST: ['Board does not report', 'Плата не выходит на связь'],
  PKT_INVALID_RATE: ['Many damaged packets', 'Много неверных пакетов'],
  CLOCK_DRIFT: ['Clock of the board is wrong', 'Часы платы сбиты'],
  REBOOT_LOOP: ['Board restarts again and again', 'Плата постоянно перезагружается'],
  CONFIG_REJECTED: ['Configuration refused by the board', 'Плата отклонила конфигурацию'],
  CONFIG_DRIFT: ['Configuration differs on the board', 'Конфигурация на плате расходится'],
  FW_UPDATE_FAILED: ['Firmware update failed', 'Обновление прошивки не удалось'],
  FW_REVOKED: ['Board runs a revoked firmware', 'На плате отозванная прошивка'],
  ENERGY_IMBALANCE: ['Meters contradict each other', 'Показания счётчиков не сходятся'],
  OFF_GRID: ['Site runs off the grid', 'Объект работает без сети'],
  MAINTENANCE_ON: ['Maintenance is on', 'Идёт обслуживание'],
} as const satisfies Record<string, Label>

export type WarningCode = keyof typeof warningCodes

export const isWarningCode = (code: unknown): code is WarningCode =>
  typeof code === 'string' && Object.hasOwn(warningCodes, code)
