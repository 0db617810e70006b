import type { Label } from '#schema/words.ts'

export const chartWords = {
  asTable: ['As a table', 'Таблицей'],
  asChart: ['As a chart', 'Графиком'],
  hour: ['Hour', 'Час'],
  day: ['Day', 'День'],
  now: ['now', 'сейчас'],
  systems: ['Systems', 'Систем'],

  power: ['Fleet power, 24 hours', 'Мощность парка за 24 часа'],
  powerNote: ['Means of each hour over all systems that reported', 'Средние за час по всем системам с данными'],
  ofSystems: ['{count} of {systems} systems', 'систем: {count} из {systems}'],
  noPower: ['There is no whole hour of measurements yet', 'Пока нет ни одного полного часа измерений'],

  warnings: ['Warnings opened, 30 days', 'Новые предупреждения за 30 дней'],
  warningsSum: [
    '{total, plural, one {# warning} other {# warnings}} opened in 30 days: {parts}',
    'За 30 дней {total, plural, one {# предупреждение} few {# предупреждения} other {# предупреждений}}: {parts}',
  ],
  noWarnings: ['None was opened in 30 days', 'За 30 дней предупреждений не было'],
  warningsAt: [
    '{day}: {total, plural, one {# warning} other {# warnings}} opened: {parts}',
    '{day}: {total, plural, one {# предупреждение} few {# предупреждения} other {# предупреждений}}: {parts}',
  ],
  noneAt: ['{day}: none', '{day}: нет'],

  packages: ['Packets, 24 hours', 'Пакеты за 24 часа'],
  packagesSum: ['{valid} valid, {bad} partial or invalid ({pct})', 'Верных: {valid}, частичных и неверных: {bad} ({pct})'],
  noPackages: ['No packet came within 24 hours', 'За 24 часа пакетов не было'],
  packagesAt: [
    '{hour}: {valid} valid, {partial} partial, {invalid} invalid',
    '{hour}: верных {valid}, частичных {partial}, неверных {invalid}',
  ],
  valid: ['Valid', 'Верных'],
  partial: ['Partial', 'Частичных'],
  invalid: ['Invalid', 'Неверных'],

  reporting: ['Reporting, 7 days', 'Передача данных за 7 дней'],
  reportingSum: [
    '{pct} of the systems in operation sent valid data, hour by hour; {of} are in operation now',
    'Верные данные передавали {pct} работавших систем, по часам; сейчас работает {of}',
  ],
  reportingAt: [
    '{hour}: {heard} of {of} systems had valid data ({pct})',
    '{hour}: верные данные у {heard} из {of} систем ({pct})',
  ],
  noReporting: ['No system has a main board yet', 'Главных плат у систем ещё нет'],
  heard: ['With valid data', 'С верными данными'],
  share: ['Share', 'Доля'],

  soc: ['State of charge', 'Заряд систем'],
  socSum: [
    '{systems, plural, one {# system} other {# systems}}, {pct} on average, weighted by capacity',
    '{systems, plural, one {# система} few {# системы} other {# систем}}, в среднем {pct} с учётом ёмкости',
  ],
  socAt: [
    '{from}–{to}%: {count, plural, one {# system} other {# systems}}',
    '{from}–{to} %: {count, plural, one {# система} few {# системы} other {# систем}}',
  ],
  noSoc: ['No system has reported its charge lately', 'Свежих данных о заряде нет'],
} as const satisfies Record<string, Label>
