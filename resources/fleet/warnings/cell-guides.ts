import type { Label } from '#schema/words.ts'
import type { WarningGuide } from './warning-guide.ts'

const compareModules: Label = [
  'Compare the modules: does one differ from the rest?',
  'Сравните модули: отличается ли один из них?',
]

/** Guides for cells. */
export const cellGuides = {
  CELL_OVER_VOLT: {
    meaning: [
      'At least one cell is charged beyond its safe voltage. From the critical level on the battery stops charging and stays off until it is cleared.',
      'Хотя бы одна ячейка заряжена выше безопасного напряжения. На критическом уровне заряд прекращается, и батарея ждёт ручного сброса.',
    ],
    causes: [
      ['Cells out of balance, so that one is full before the others', 'Разбаланс: одна ячейка заряжается раньше остальных'],
      ['Charge limit of the configuration too high for this chemistry', 'Слишком высокий предел заряда для этой химии'],
      ['Loose sense wire', 'Плохой контакт измерительного провода'],
    ],
    checks: [
      [
        'See which cell it is, and whether it is always the same[: now {cellVoltageMaxPos} with {cellVoltageMaxMv}]',
        'Какая это ячейка и всегда ли одна и та же[: сейчас {cellVoltageMaxPos}, {cellVoltageMaxMv}]',
      ],
      ['Look at cell voltages at the end of the last charges', 'Посмотрите напряжения ячеек в конце последних зарядов'],
      [
        'Compare the highest cell voltage of the configuration with the nameplate[: it is set to {setting.cellVoltageMaxMv}]',
        'Сравните предел напряжения в конфигурации с паспортом[: задано {setting.cellVoltageMaxMv}]',
      ],
    ],
    actions: [
      [
        'Lower the highest charge by 5 points until the cells are balanced',
        'Снизьте максимальный заряд на 5 пунктов до выравнивания',
      ],
      [
        'Clear the warning only when the cell is below the clearing level',
        'Сбрасывайте только когда ячейка ниже уровня снятия',
      ],
    ],
  },
  CELL_UNDER_VOLT: {
    meaning: [
      'At least one cell is discharged below its safe voltage. From the critical level on the battery stops discharging.',
      'Хотя бы одна ячейка разряжена ниже безопасного напряжения. На критическом уровне разряд прекращается.',
    ],
    causes: [
      ['A weak cell that runs empty before the others', 'Слабая ячейка разряжается раньше остальных'],
      ['The battery was empty for a long time', 'Батарея долго стояла разряженной'],
      ['High current at low charge', 'Большой ток при низком заряде'],
    ],
    checks: [
      [
        'See which cell it is and how far it is below the mean[: now {cellVoltageMinPos} with {cellVoltageMinMv}, the mean is {cellVoltageAvgMv}]',
        'Какая это ячейка и насколько она ниже среднего[: сейчас {cellVoltageMinPos}, {cellVoltageMinMv} при среднем {cellVoltageAvgMv}]',
      ],
      ['Look at the current at that time[; now {batteryCurrentA}]', 'Посмотрите ток в этот момент[; сейчас {batteryCurrentA}]'],
      [
        'Look at the lowest charge of the configuration[: it is set to {setting.socMinPct}]',
        'Проверьте минимальный заряд в конфигурации[: задано {setting.socMinPct}]',
      ],
    ],
    actions: [
      ['Raise the lowest charge by 5 to 10 points', 'Поднимите минимальный заряд на 5–10 пунктов'],
      ['Let the battery charge slowly, at most 0.1 C', 'Дайте батарее зарядиться малым током, не выше 0,1 C'],
    ],
  },
  CELL_IMBALANCE: {
    meaning: [
      'The highest and the lowest cell are too far apart, so the battery can use less of its capacity.',
      'Самая высокая и самая низкая ячейки слишком далеки друг от друга, поэтому ёмкость используется не полностью.',
    ],
    causes: [
      ['A cell with less capacity than the others', 'Ячейка с меньшей ёмкостью'],
      ['Balancing is switched off or starts too late', 'Балансировка выключена или начинается поздно'],
      ['The battery has not been full for weeks', 'Батарея неделями не заряжалась полностью'],
    ],
    checks: [
      [
        'See at which charge the difference appears: low charge means a weak cell[; now {cellDeltaMv} at {socPct}]',
        'При каком заряде виден разброс: внизу — слабая ячейка[; сейчас {cellDeltaMv} при {socPct}]',
      ],
      [
        'Check that balancing is on in the configuration[: {setting.balancingEnabled}]',
        'Проверьте, включена ли балансировка[: {setting.balancingEnabled}]',
      ],
      compareModules,
    ],
    actions: [
      [
        'Let the battery rest fully charged for some hours so that it can balance',
        'Дайте батарее постоять полной несколько часов',
      ],
      [
        'Plan the change of the module when the same cell shows for a week',
        'Если ячейка та же неделю — запланируйте замену модуля',
      ],
    ],
  },
  OVER_TEMP: {
    meaning: [
      'The hottest cell is above the service limit. Power is reduced, and from the critical level on the battery switches off.',
      'Самая тёплая ячейка выше рабочего предела. Мощность снижается, на критическом уровне батарея отключается.',
    ],
    causes: [
      ['Fan blocked or filter full of dust', 'Вентилятор заблокирован или забит фильтр'],
      ['Room too hot, sun on the cabinet', 'Жаркое помещение, солнце на шкафу'],
      ['Long operation at high power, aged cells', 'Долгая работа на большой мощности, старые ячейки'],
    ],
    checks: [
      [
        'Compare with the ambient temperature[: {ambientTempC} around, {cellTempMinC} to {cellTempMaxC} in the cells]',
        'Сравните с температурой окружающего воздуха[: снаружи {ambientTempC}, в ячейках от {cellTempMinC} до {cellTempMaxC}]',
      ],
      [
        'See whether it falls when the current is low[; now {batteryCurrentA}]',
        'Падает ли она при малом токе[; сейчас {batteryCurrentA}]',
      ],
      ['Look for a fan fault of the same time', 'Нет ли одновременно неисправности вентилятора'],
    ],
    actions: [
      ['Halve the charge and discharge limits until it has cooled down', 'Уменьшите пределы мощности вдвое до остывания'],
      ['Ask the site to clear the air inlets', 'Попросите освободить вентиляционные отверстия'],
    ],
  },
  UNDER_TEMP: {
    meaning: [
      'The coldest cell is too cold to be charged without harm. Charging slows down and then stops.',
      'Самая холодная ячейка слишком холодна для заряда без вреда. Заряд замедляется и прекращается.',
    ],
    causes: [
      ['Unheated room in winter', 'Неотапливаемое помещение зимой'],
      ['Heating of the cabinet has failed', 'Отказ подогрева шкафа'],
    ],
    checks: [
      [
        'Compare with the ambient temperature[: {ambientTempC} around, {cellTempMinC} to {cellTempMaxC} in the cells]',
        'Сравните с температурой окружающего воздуха[: снаружи {ambientTempC}, в ячейках от {cellTempMinC} до {cellTempMaxC}]',
      ],
      [
        'See whether all cells are cold or only one place[: {cellTempMinC} to {cellTempMaxC} now]',
        'Холодны все ячейки или одно место[: сейчас от {cellTempMinC} до {cellTempMaxC}]',
      ],
    ],
    actions: [
      ['Let the battery charge by day, when the room is warmer', 'Перенесите заряд на тёплое время дня'],
      ['Ask the site to heat the room above 10 °C', 'Попросите прогреть помещение выше 10 °C'],
    ],
  },
  TEMP_IMBALANCE: {
    meaning: [
      'One part of the battery is much warmer than another, so it ages faster there.',
      'Одна часть батареи намного теплее другой и стареет быстрее.',
    ],
    causes: [
      ['Air does not reach one side', 'К одной стороне не поступает воздух'],
      ['A cell or a joint with higher resistance', 'Ячейка или соединение с повышенным сопротивлением'],
      ['Sensor out of place', 'Датчик сместился'],
    ],
    checks: [
      compareModules,
      [
        'See whether the difference grows with the current[; now {batteryCurrentA}]',
        'Растёт ли разница с током[; сейчас {batteryCurrentA}]',
      ],
    ],
    actions: [
      ['Lower the current limits by a third until the visit', 'До выезда снизьте пределы тока на треть'],
      ['Have the joints of the warm module tightened and measured', 'Проверьте и подтяните соединения тёплого модуля'],
    ],
  },
} as const satisfies Record<string, WarningGuide>
