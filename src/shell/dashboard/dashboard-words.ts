import type { CommissioningStep } from '#schema/summary.ts'
import type { Label } from '#schema/words.ts'

/** The words of the first page that no definition supplies. */
export const dashboardWords = {
  by: ['{resource}: {field}', '{resource}: {field}'],
  all: ['All', 'Все'],
  unknown: ['Not reported', 'Не сообщено'],
  tidy: ['To look at', 'Требует внимания'],
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
  owner: ['Yours', 'Ваша'],
  guest: ['Shared with you', 'Вам открыт доступ'],
  noWorksTitle: ['Nothing to put up', 'Нет систем для пусконаладки'],
  noWorksText: [
    'Systems that are planned or being commissioned, with you as the installer, stand here.',
    'Здесь появятся запланированные и вводимые в работу системы, где вы указаны монтажником.',
  ],
  progress: ['{done} of {total} done', 'Готово: {done} из {total}'],
  done: ['done', 'готово'],
  open: ['open', 'не готово'],
} as const satisfies Record<string, Label>

/** What the figures are called, and how much each of them worries while it is above zero. */
export const figures: Readonly<Record<string, { label: Label; tone: 'info' | 'warn' | 'bad' }>> = {
  'warning-critical': { label: ['Critical warnings', 'Аварийные предупреждения'], tone: 'bad' },
  'board-bad-data': { label: ['Boards with bad data', 'Платы с неверными данными'], tone: 'warn' },
  'update-open': { label: ['Open updates', 'Открытые обновления'], tone: 'info' },
  'update-failed': { label: ['Updates failed, 7 days', 'Сбои обновлений за 7 дней'], tone: 'warn' },
  'ess-unowned': { label: ['ESS without an owner', 'СНЭ без владельца'], tone: 'warn' },
  'board-unattached': { label: ['Boards on the shelf', 'Платы не подключены'], tone: 'info' },
  'ess-maintenance': { label: ['ESS under maintenance', 'СНЭ на обслуживании'], tone: 'info' },
  'invitation-open': { label: ['Open invitations', 'Открытые приглашения'], tone: 'info' },
  'invitation-expired': { label: ['Expired invitations', 'Просроченные приглашения'], tone: 'warn' },
}

export const stepWords: Record<CommissioningStep, Label> = {
  boardAttached: ['A board is attached', 'Плата подключена'],
  boardSeen: ['The board has reported', 'Плата вышла на связь'],
  validData: ['Valid data within 30 minutes', 'Верные данные за последние 30 минут'],
  configurationInSync: ['The configuration is applied', 'Конфигурация применена'],
  firmwareReleased: ['The firmware is a released one', 'Прошивка из выпущенных'],
  ownerSet: ['An owner is set', 'Владелец указан'],
}
