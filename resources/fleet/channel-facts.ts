import type { Unit } from '#schema/format/units.ts'
import type { Label } from '#schema/words.ts'

/** What a sign means, so that it never stands alone: `[above zero, below zero]`. */
type Signs = readonly [above: Label, below: Label]

/** What people read of a channel. `digits`: decimals of a measured value. `states`: words of its codes. */
export type ChannelFacts = {
  label: Label
  unit?: Unit
  digits?: number
  signs?: Signs
  states?: Readonly<Record<string, Label>>
}

const batterySigns: Signs = [
  ['discharging', 'разряд'],
  ['charging', 'заряд'],
]
const gridSigns: Signs = [
  ['import', 'из сети'],
  ['export', 'в сеть'],
]

/** Channels of a sample by name, in the order in which people read them. */
export const channelFacts = {
  pvPowerW: { label: ['Solar power', 'Мощность солнца'], unit: 'W' },
  loadPowerW: { label: ['Load', 'Нагрузка'], unit: 'W' },
  batteryPowerW: { label: ['Battery power', 'Мощность батареи'], unit: 'W', signs: batterySigns },
  gridPowerW: { label: ['Grid power', 'Мощность сети'], unit: 'W', signs: gridSigns },
  socPct: { label: ['State of charge', 'Заряд'], unit: '%', digits: 1 },
  sohPct: { label: ['State of health', 'Состояние батареи'], unit: '%', digits: 1 },
  energyAvailableWh: { label: ['Stored energy', 'Запас энергии'], unit: 'Wh' },
  batteryVoltageV: { label: ['Battery voltage', 'Напряжение батареи'], unit: 'V', digits: 2 },
  batteryCurrentA: { label: ['Battery current', 'Ток батареи'], unit: 'A', digits: 2, signs: batterySigns },
  chargeCurrentLimitA: { label: ['Charge limit', 'Предел тока заряда'], unit: 'A', digits: 1 },
  dischargeCurrentLimitA: { label: ['Discharge limit', 'Предел тока разряда'], unit: 'A', digits: 1 },
  cellVoltageMinMv: { label: ['Lowest cell', 'Минимум ячеек'], unit: 'mV' },
  cellVoltageAvgMv: { label: ['Mean cell', 'Среднее ячеек'], unit: 'mV' },
  cellVoltageMaxMv: { label: ['Highest cell', 'Максимум ячеек'], unit: 'mV' },
  cellDeltaMv: { label: ['Cell spread', 'Разброс ячеек'], unit: 'mV' },
  cellVoltageMinPos: { label: ['Place of the lowest cell', 'Место минимума ячеек'] },
  cellVoltageMaxPos: { label: ['Place of the highest cell', 'Место максимума ячеек'] },
  cellTempMinC: { label: ['Coldest cell', 'Самая холодная ячейка'], unit: '°C', digits: 1 },
  cellTempAvgC: { label: ['Mean cell temperature', 'Средняя температура ячеек'], unit: '°C', digits: 1 },
  cellTempMaxC: { label: ['Warmest cell', 'Самая тёплая ячейка'], unit: '°C', digits: 1 },
  mosfetTempC: { label: ['MOSFET', 'MOSFET'], unit: '°C', digits: 1 },
  boardTempC: { label: ['Board', 'Плата'], unit: '°C', digits: 1 },
  ambientTempC: { label: ['Ambient', 'Окружающая среда'], unit: '°C', digits: 1 },
  gridVoltageL1V: { label: ['Grid L1', 'Сеть L1'], unit: 'V', digits: 1 },
  gridVoltageL2V: { label: ['Grid L2', 'Сеть L2'], unit: 'V', digits: 1 },
  gridVoltageL3V: { label: ['Grid L3', 'Сеть L3'], unit: 'V', digits: 1 },
  gridFrequencyHz: { label: ['Grid frequency', 'Частота сети'], unit: 'Hz', digits: 2 },
  chargeEnergyWh: { label: ['Charged', 'Заряжено'], unit: 'Wh' },
  dischargeEnergyWh: { label: ['Discharged', 'Отдано батареей'], unit: 'Wh' },
  pvEnergyWh: { label: ['Solar energy', 'Выработка солнца'], unit: 'Wh' },
  loadEnergyWh: { label: ['Consumed', 'Потреблено'], unit: 'Wh' },
  gridImportEnergyWh: { label: ['Imported', 'Взято из сети'], unit: 'Wh' },
  gridExportEnergyWh: { label: ['Exported', 'Отдано в сеть'], unit: 'Wh' },
  cycleCount: { label: ['Full cycles', 'Полные циклы'], digits: 2 },
  chargeState: {
    label: ['Charge state', 'Состояние заряда'],
    states: {
      OFF: ['Off', 'Выключено'],
      EMPTY: ['Empty', 'Разряжена'],
      DISCHARGING: ['Discharging', 'Разряд'],
      CHARGING: ['Charging', 'Заряд'],
      FULL: ['Full', 'Заряжена'],
      HOLDING: ['Holding', 'Удержание'],
      TESTING: ['Testing', 'Проверка'],
    },
  },
  bankState: {
    label: ['Battery state', 'Состояние банка'],
    states: {
      DISCONNECTED: ['Disconnected', 'Отключён'],
      INITIALIZING: ['Initialising', 'Запуск'],
      CONNECTED: ['Connected', 'Подключён'],
      STANDBY: ['Standby', 'Ожидание'],
      SOC_PROTECTION: ['Charge protection', 'Защита по заряду'],
      SUSPENDING: ['Suspending', 'Приостановка'],
      FAULT: ['Fault', 'Неисправность'],
    },
  },
  gridMode: {
    label: ['Grid mode', 'Режим сети'],
    states: { ON_GRID: ['On grid', 'От сети'], OFF_GRID: ['Off grid', 'Без сети'] },
  },
  eventFlags: { label: ['Event flags', 'Флаги событий'] },
  supplyMv: { label: ['Supply voltage', 'Питание платы'], unit: 'mV' },
  rssiDbm: { label: ['Signal', 'Уровень сигнала'], unit: 'dBm' },
  uptimeS: { label: ['Uptime', 'Время работы'], unit: 's' },
} as const satisfies Record<string, ChannelFacts>

export type Channel = keyof typeof channelFacts

export const isChannel = (name: string): name is Channel => Object.hasOwn(channelFacts, name)

export const factsOf = (name: Channel): ChannelFacts => channelFacts[name]
