import type { Label } from '#schema/words.ts'
import type { WarningGuide } from './warning-guide.ts'

const watchOneDay: Label = [
  'Watch the channel for a day before you visit the site.',
  'Понаблюдайте за каналом сутки до выезда.',
]

/** Guides for power, charge and grid. */
export const batteryGuides = {
  MOSFET_TEMP: {
    meaning: [
      'The switches of the power electronics are too hot. At the critical level they switch off to save themselves.',
      'Силовые ключи перегреты. На критическом уровне они отключаются для самозащиты.',
    ],
    causes: [
      ['Long operation at full power', 'Долгая работа на полной мощности'],
      ['Fan fault or dust on the heat sink', 'Неисправность вентилятора или пыль на радиаторе'],
    ],
    checks: [
      [
        'Compare with the current of the last hour[; now {batteryCurrentA} and {mosfetTempC}]',
        'Сравните с током за последний час[; сейчас {batteryCurrentA} и {mosfetTempC}]',
      ],
      ['Look for a fan fault', 'Нет ли неисправности вентилятора'],
    ],
    actions: [['Lower the power limits by a third', 'Снизьте пределы мощности на треть'], watchOneDay],
  },
  OVER_CHARGE_CURRENT: {
    meaning: [
      'More current flows into the battery than it allows at the moment.',
      'В батарею идёт больший ток, чем она сейчас допускает.',
    ],
    causes: [
      ['The converter does not follow the limit of the battery', 'Преобразователь не соблюдает предел батареи'],
      [
        'The limit fell because the battery is nearly full, cold or hot',
        'Предел снизился: батарея почти полна, холодна или горяча',
      ],
    ],
    checks: [
      [
        'See the charge current limit at that time[; now {chargeCurrentLimitA}]',
        'Посмотрите предел тока заряда в этот момент[; сейчас {chargeCurrentLimitA}]',
      ],
      [
        'Look at charge and temperature[: now {socPct} and {cellTempAvgC}]',
        'Посмотрите заряд и температуру[: сейчас {socPct} и {cellTempAvgC}]',
      ],
    ],
    actions: [
      ['Lower the charge power limit in the configuration', 'Снизьте предел мощности заряда в конфигурации'],
      ['Update the firmware if the release notes mention it', 'Обновите прошивку, если это указано в описании'],
    ],
  },
  OVER_DISCHARGE_CURRENT: {
    meaning: [
      'More current flows out of the battery than it allows at the moment.',
      'Из батареи идёт больший ток, чем она сейчас допускает.',
    ],
    causes: [
      ['A large load was switched on', 'Включена большая нагрузка'],
      [
        'The limit fell because the battery is nearly empty, cold or hot',
        'Предел снизился: батарея почти пуста, холодна или горяча',
      ],
    ],
    checks: [
      [
        'See the load of the site at that time[; now {loadPowerW}]',
        'Посмотрите нагрузку объекта в этот момент[; сейчас {loadPowerW}]',
      ],
      ['See whether the site was off the grid[; now: {gridMode}]', 'Работал ли объект без сети[; сейчас: {gridMode}]'],
    ],
    actions: [
      ['Lower the discharge power limit in the configuration', 'Снизьте предел мощности разряда в конфигурации'],
      ['Off the grid: ask the site to switch large loads off', 'Без сети: попросите отключить крупные нагрузки'],
    ],
  },
  SOC_LOW: {
    meaning: [
      'The charge is below the lowest one that was asked for. A battery that rests at that lowest charge is normal.',
      'Заряд ниже заданного минимума. Батарея, которая стоит ровно на минимуме, — это нормально.',
    ],
    causes: [
      ['Long without sun and without charge from the grid', 'Долго не было солнца и заряда от сети'],
      ['Own consumption of the system over weeks', 'Собственное потребление системы за недели'],
      ['Charge is estimated wrongly', 'Заряд оценён неверно'],
    ],
    checks: [
      ['Look at the energy of the last days: was anything charged?', 'Была ли зарядка в последние дни'],
      [
        'Compare the cell voltages with the charge[: now {cellVoltageMinMv} to {cellVoltageMaxMv} at {socPct}]',
        'Сравните напряжения ячеек с зарядом[: сейчас от {cellVoltageMinMv} до {cellVoltageMaxMv} при {socPct}]',
      ],
    ],
    actions: [
      [
        'Switch to time of use or backup, so that the grid charges',
        'Включите режим «По тарифу» или «Резерв» для заряда от сети',
      ],
      ['At the critical level charge within a day, or cells are harmed', 'На критическом уровне зарядите в течение суток'],
    ],
  },
  SOH_LOW: {
    meaning: ['The battery holds clearly less than when it was new.', 'Батарея держит заметно меньше, чем новая.'],
    causes: [
      ['Age and number of cycles', 'Возраст и число циклов'],
      ['Years in heat or always full', 'Годы в жаре или постоянно полный заряд'],
    ],
    checks: [
      [
        'Compare cycles and age with the warranty[: {cycleCount} cycles so far, health {sohPct}]',
        'Сравните циклы и возраст с гарантией[: циклов {cycleCount}, состояние {sohPct}]',
      ],
      ['See whether one module pulls the figure down', 'Не занижает ли показатель один модуль'],
    ],
    actions: [
      ['Check the date of the warranty and open a case', 'Проверьте срок гарантии и откройте обращение'],
      ['Lower the highest charge to 90 % to slow it down', 'Снизьте максимальный заряд до 90 %, чтобы замедлить износ'],
    ],
  },
  GRID_VOLT: {
    meaning: [
      'The voltage of the grid is outside the range in which the system may feed in.',
      'Напряжение сети вне диапазона, в котором системе разрешено работать.',
    ],
    causes: [
      ['Many roofs feed in at noon', 'Много станций отдают в сеть в полдень'],
      ['Weak or long line to the site', 'Слабая или длинная линия'],
      ['A phase is lost', 'Потеряна фаза'],
    ],
    checks: [
      [
        'Compare the phases[: now {gridVoltageL1V}, {gridVoltageL2V}, {gridVoltageL3V}]',
        'Сравните фазы[: сейчас {gridVoltageL1V}, {gridVoltageL2V}, {gridVoltageL3V}]',
      ],
      [
        'See whether it follows the power that is fed in[; now {gridPowerW}]',
        'Зависит ли оно от отдаваемой мощности[; сейчас {gridPowerW}]',
      ],
    ],
    actions: [
      ['Lower the export limit', 'Снизьте предел отдачи в сеть'],
      ['Tell the grid operator when it lasts for days', 'Если длится днями — сообщите сетевой компании'],
    ],
  },
  GRID_FREQ: {
    meaning: ['The frequency of the grid is outside its range.', 'Частота сети вне нормы.'],
    causes: [
      ['Disturbance in the grid', 'Возмущение в сети'],
      ['The site runs on a generator', 'Объект питается от генератора'],
    ],
    checks: [
      ['See whether other sites nearby report the same', 'Сообщают ли то же соседние объекты'],
      [
        'Look at the mode of the grid at that time[; now: {gridMode}, {gridFrequencyHz}]',
        'Посмотрите режим сети в этот момент[; сейчас: {gridMode}, {gridFrequencyHz}]',
      ],
    ],
    actions: [
      ['Wait: the system disconnects and returns by itself', 'Подождите: система отключится и вернётся сама'],
      ['On a generator: have its speed set', 'При генераторе: отрегулируйте обороты'],
    ],
  },
  ENERGY_IMBALANCE: {
    meaning: [
      'Load, sun, battery and grid do not add up for an hour: one meter is wrong or connected the wrong way round.',
      'Нагрузка, солнце, батарея и сеть не сходятся уже час: один счётчик ошибается или подключён наоборот.',
    ],
    causes: [
      ['Current transformer turned round or on another phase', 'Трансформатор тока перевёрнут или на другой фазе'],
      ['A source or a load behind the meter', 'Источник или нагрузка за счётчиком'],
    ],
    checks: [
      [
        'See which power jumps while the others stay[: now solar {pvPowerW}, load {loadPowerW}, battery {batteryPowerW}, grid {gridPowerW}]',
        'Какая мощность скачет, пока другие стоят[: сейчас солнце {pvPowerW}, нагрузка {loadPowerW}, батарея {batteryPowerW}, сеть {gridPowerW}]',
      ],
      ['Look at the night: without sun only three meters count', 'Посмотрите ночью: без солнца работают три счётчика'],
    ],
    actions: [
      ['Have the direction of the transformers checked', 'Проверьте направление трансформаторов тока'],
      ['Do not trust daily sums until it is mended', 'До исправления не опирайтесь на суточные итоги'],
    ],
  },
  OFF_GRID: {
    meaning: ['The grid is down; the battery supplies the site.', 'Сети нет, объект питается от батареи.'],
    causes: [
      ['Power cut', 'Отключение электричества'],
      ['Main switch off', 'Выключен вводной автомат'],
    ],
    checks: [
      [
        'See how long the charge will last[: {socPct} now at a load of {loadPowerW}]',
        'На сколько хватит заряда[: сейчас {socPct} при нагрузке {loadPowerW}]',
      ],
      ['See whether neighbours are off the grid, too', 'Есть ли сеть у соседей'],
    ],
    actions: [
      ['Tell the owner how long the battery will last', 'Сообщите владельцу, на сколько хватит батареи'],
      ['Ask to switch large loads off', 'Попросите отключить крупные нагрузки'],
    ],
  },
  MAINTENANCE_ON: {
    meaning: [
      'Maintenance is on: warnings are recorded, but nobody is notified of them.',
      'Включено обслуживание: предупреждения записываются, но никого не уведомляют.',
    ],
    causes: [['Someone switched it on for a visit', 'Его включили для работ']],
    checks: [['See until when it lasts and why[: {subject}]', 'До какого времени и почему[: {subject}]']],
    actions: [['End it when the work is done', 'Завершите его по окончании работ']],
  },
} as const satisfies Record<string, WarningGuide>
