import type { Label } from '#schema/words.ts'

export const energyWords = {
  flow: ['Energy flow', 'Потоки энергии'],
  pv: ['Solar', 'Солнце'],
  battery: ['Battery', 'Батарея'],
  grid: ['Grid', 'Сеть'],
  load: ['Load', 'Нагрузка'],
  unknown: ['no value', 'нет данных'],
  idle: ['idle', 'нет потока'],
  measured: ['Measured {time}', 'Измерено {time}'],
  never: ['No current values', 'Нет текущих значений'],
  stale: ['Old data', 'Данные устарели'],
  soc: ['State of charge', 'Заряд'],
  reserve: ['Reserve', 'Резерв'],
  stored: ['Stored', 'Запас'],
  autonomy: ['Autonomy', 'Автономность'],
  today: ['Today', 'Сегодня'],
  self: ['Self-sufficiency', 'Самообеспечение'],
  imported: ['From the grid', 'Из сети'],
  exported: ['To the grid', 'В сеть'],
  last24h: ['Last 24 hours', 'Последние 24 часа'],
  last24hText: [
    'Solar power up to {pv}, load up to {load} in the last 24 hours',
    'Солнце до {pv}, нагрузка до {load} за последние 24 часа',
  ],
  noSeries: ['Nothing was measured in the last 24 hours', 'За последние 24 часа измерений нет'],
} as const satisfies Record<string, Label>
