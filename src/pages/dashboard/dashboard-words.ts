import type { CommissioningStep } from '#schema/wire/summary.ts'
import type { Label } from '#schema/words.ts'

/** The words of the first page that no definition supplies. */
export const dashboardWords = {
  by: ['{resource}: {field}', '{resource}: {field}'],
  all: ['All', 'Все'],
  unknown: ['Not reported', 'Не сообщено'],
  tidy: ['To look at', 'На заметку'],
  now: ['Now', 'Сейчас'],
  lately: ['The last days', 'За последние дни'],
  spread: ['What the fleet is made of', 'Состав парка'],
  last: ['What happened last', 'Последние события'],
  energy: ['Energy', 'Энергия'],
  stored: ['Stored energy', 'Запас энергии'],
  measured: [
    '{count, plural, one {# system} other {# systems}}',
    '{count, plural, one {# система} few {# системы} other {# систем}}',
  ],
  ofRated: ['of {rated} stored', 'из {rated} запасено'],
  meanSoc: ['Mean charge', 'Средний заряд'],
  noEnergy: ['No system has told its values lately', 'Свежих данных от систем нет'],
  updates: ['Firmware updates', 'Обновления прошивок'],
  onLatest: ['On the latest firmware', 'На последней прошивке'],
  onLatestOf: ['on the latest firmware: {count} of {total} boards', 'на последней прошивке: {count} из {total} плат'],
  older: ['Boards on an older one', 'Платы на прежней прошивке'],
  allOpen: ['All open', 'Все активные'],
  acknowledged: ['Acknowledged', 'Подтверждено'],
  score: ['Urgency', 'Срочность'],
  failedUpdates: ['Updates that failed last', 'Последние сбои обновлений'],
  allFailed: ['All', 'Все'],
  noFailed: ['No update has failed', 'Сбоев обновлений не было'],
  noChanges: ['Nothing has been changed yet', 'Изменений пока не было'],
  did: ['{actor}: {action}', '{actor}: {action}'],
  system: ['The system', 'Система'],
  notRefreshed: ['The figures could not be refreshed', 'Не удалось обновить данные'],
  emptyTitle: ['The fleet is empty', 'Парк пуст'],
  emptyText: [
    'Register the first system, or bring a whole list in at once.',
    'Добавьте первую систему или загрузите сразу весь список.',
  ],
  addFirst: ['Add an ESS', 'Добавить СНЭ'],
  fill: ['Fill from a file', 'Загрузить из файла'],
  noSitesTitle: ['No system yet', 'Систем пока нет'],
  noSitesText: [
    'As soon as a system is yours or shared with you, it stands here.',
    'Здесь появится система, как только её за вами закрепят или откроют вам доступ.',
  ],
  noDataText: [
    'As soon as the system reports, its charge and where its energy goes stand here.',
    'Когда система передаст данные, здесь появятся её заряд и потоки энергии.',
  ],
  siteWarnings: ['Open warnings', 'Открытые предупреждения'],
  noWarnings: ['No open warnings', 'Открытых предупреждений нет'],
  owner: ['Yours', 'Ваша'],
  guest: ['Shared with you', 'Вам открыт доступ'],
  noWorksTitle: ['No systems to commission', 'Нет систем для пусконаладки'],
  noWorksText: [
    'Systems that are planned or being commissioned, with you as the installer, stand here.',
    'Здесь появятся запланированные и вводимые в работу системы, где вы указаны монтажником.',
  ],
  progress: ['{done} of {total} done', 'Готово: {done} из {total}'],
  done: ['done', 'готово'],
  open: ['open', 'не готово'],
} as const satisfies Record<string, Label>

export const stepWords: Record<CommissioningStep, Label> = {
  boardAttached: ['A board is attached', 'Плата подключена'],
  boardSeen: ['The board has reported', 'Плата вышла на связь'],
  validData: ['Valid data within 30 minutes', 'Верные данные за последние 30 минут'],
  configurationInSync: ['The configuration is applied', 'Конфигурация применена'],
  firmwareReleased: ['The firmware is a released one', 'Прошивка из выпущенных'],
  ownerSet: ['An owner is set', 'Владелец указан'],
}
