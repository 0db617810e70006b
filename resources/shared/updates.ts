import type { Field, Fields, State } from '#schema/field-types.ts'
import { fleetStaff } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'
import { windowFields, windowLine } from './week-window.ts'

/** State machine of a firmware update; a state without `next` is final. */
export const updateStates = {
  SCHEDULED:   { tone: 'idle', label: ['Scheduled', 'Запланировано'], next: ['QUEUED', 'CANCELED'] },
  QUEUED:      { tone: 'info', label: ['Queued', 'В очереди'], next: ['DOWNLOADING', 'CANCELED', 'EXPIRED'] },
  DOWNLOADING: { tone: 'info', label: ['Downloading', 'Загружается'], next: ['VERIFYING', 'FAILED', 'CANCELING', 'EXPIRED'] },
  VERIFYING:   { tone: 'info', label: ['Verifying', 'Проверяется'], next: ['INSTALLING', 'FAILED', 'CANCELING'] },
  INSTALLING:  { tone: 'info', label: ['Installing', 'Устанавливается'], next: ['REBOOTING', 'FAILED', 'EXPIRED'] },
  REBOOTING:   { tone: 'info', label: ['Rebooting', 'Перезагружается'], next: ['CONFIRMING', 'FAILED', 'EXPIRED'] },
  CONFIRMING:  { tone: 'info', label: ['Confirming', 'Подтверждается'], next: ['SUCCEEDED', 'ROLLED_BACK', 'EXPIRED'] },
  CANCELING:   { tone: 'warn', label: ['Cancelling', 'Отменяется'], next: ['CANCELED', 'INSTALLING'] },
  SUCCEEDED:   { tone: 'good', label: ['Succeeded', 'Успешно'] },
  FAILED:      { tone: 'bad',  label: ['Failed', 'Ошибка'] },
  ROLLED_BACK: { tone: 'bad',  label: ['Rolled back', 'Откат'] },
  CANCELED:    { tone: 'idle', label: ['Cancelled', 'Отменено'] },
  EXPIRED:     { tone: 'warn', label: ['Expired', 'Истекло время'] },
} as const satisfies Record<string, State>

/** Final states in which an update has failed. */
export const failedStates = ['FAILED', 'ROLLED_BACK', 'EXPIRED'] as const satisfies readonly (keyof typeof updateStates)[]

/** Groups of the firmware offered to a board: newer and older than the installed one. */
export const offerGroups = {
  by: 'kind',
  labels: { UPGRADE: ['Newer than the present version', 'Новее нынешней'],
    DOWNGRADE: ['Older: a downgrade', 'Старее: возврат к прежней'] },
} as const

export const updateFailures = {
  OFFLINE:      ['Board offline', 'Плата не на связи'],
  NO_SPACE:     ['No space on the board', 'На плате нет места'],
  CHECKSUM:     ['Checksum differs', 'Контрольная сумма не совпала'],
  SIGNATURE:    ['Signature refused', 'Подпись не принята'],
  INCOMPATIBLE: ['Does not fit the board', 'Не подходит плате'],
  FLASH:        ['Memory could not be written', 'Ошибка записи в память'],
  BOOT_LOOP:    ['Does not start', 'Не запускается'],
  LOW_SOC:      ['Charge too low', 'Слишком низкий заряд'],
  LOW_SUPPLY:   ['Supply too low', 'Слабое питание'],
  TIMEOUT:      ['Took too long', 'Превышено время'],
  USER:         ['Cancelled by a person', 'Отменено пользователем'],
} as const satisfies Record<string, Label>

/** Earliest start and window of an update, set by the request. */
export const updateTimeFields = {
  scheduledAt: { type: 'dateTime', label: ['Scheduled for', 'Запланировано на'], immutable: true,
    help: ['Leave empty: as soon as possible', 'Пусто — как можно скорее'] },
  window:      { type: 'group',    label: ['Only within a window', 'Только в окно'], immutable: true, line: windowLine,
    fields: windowFields,
    help: ['By the clock of the site. Leave empty: at any time; what has begun goes on past its end',
      'По времени объекта. Пусто — в любое время; начатое продолжается и после конца окна'] },
} as const satisfies Fields

/** Asked for where nothing but checks that may be passed over stand in the way. */
export const overrideField = {
  type: 'text', label: ['Why update anyway', 'Почему всё равно обновить'], immutable: true, detailOnly: true,
  minLength: 3, maxLength: 250,
  access: { read: fleetStaff, write: ['admin'] },
  help: ['It is kept in the history. Without a reason the request is refused',
    'Сохраняется в истории. Без причины запрос отклоняется'],
} as const satisfies Field

/** Obstacles of an update that has not begun. */
export const updateWaits = {
  TIME:    ['Its time to come', 'Назначенного времени'],
  ROLLOUT: ['The paused rollout', 'Приостановленной раскатки'],
  SILENT:  ['The board: it is offline', 'Плату: она не на связи'],
  WINDOW:  ['Its window', 'Своего окна'],
  CONTACT: ['The next contact of the board', 'Следующей связи с платой'],
} as const satisfies Record<string, Label>

/** Reasons of a rollout to leave a board waiting, or out. */
export const rolloutWaits = {
  WAVE:             ['Its wave has not begun', 'Её волна ещё не началась'],
  NEXT:             ['It is its turn soon', 'Скоро её очередь'],
  NO_CRITICAL:      ['A critical warning is open', 'Открыта авария'],
  SOC:              ['Charge below 20 %', 'Заряд ниже 20 %'],
  NO_OPEN_UPDATE:   ['Another update is under way', 'Идёт другое обновление'],
  INSTALLED:        ['Has this version already', 'Эта версия уже стоит'],
  LIFECYCLE:        ['Not in service', 'Не в работе'],
  PRODUCT:          ['Another product', 'Другое изделие'],
  MODEL:            ['Another ESS model', 'Другая модель СНЭ'],
  FOLLOWS:          ['Has these settings already', 'Эти настройки уже заданы'],
  SETTINGS:         ['Settings not allowed for it', 'Для неё эти настройки недопустимы'],
  HARDWARE:         ['Other hardware', 'Другая версия платы'],
  NEW_VERSION:      ['Already runs this version', 'Уже работает на этой версии'],
  MIN_FROM_VERSION: ['Version too old to update from', 'Версия слишком старая'],
  RELEASED:         ['The firmware may not be installed', 'Прошивку нельзя ставить'],
  FILE:             ['The file is missing or damaged', 'Файла нет или он повреждён'],
  NOT_OLDER:        ['Runs a newer version', 'Стоит более новая версия'],
  VERSION_UNKNOWN:  ['Its version is not known', 'Версия неизвестна'],
  GONE:             ['The board is deleted', 'Плата удалена'],
  STOPPED:          ['The rollout was stopped', 'Раскатка остановлена'],
} as const satisfies Record<string, Label>

/** Failures of a configuration that a rollout has brought. */
export const configurationFailures = {
  REJECTED: ['Rejected by the board', 'Отклонена платой'],
  TIMEOUT:  ['Not applied in time', 'Не применена вовремя'],
} as const satisfies Record<string, Label>

export type RolloutWait = keyof typeof rolloutWaits
