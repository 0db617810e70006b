import type { ProblemTable } from '#server/base/problem-table.ts'
import { problemsOf } from '#server/base/problems.ts'

const timeAhead = {
  maintenance: ['Choose a time in the next 72 hours', 'Выберите время в ближайшие 72 часа'],
  update: ['Choose a time in the next 90 days', 'Выберите время в ближайшие 90 дней'],
  snooze: ['Choose a time in the next 30 days', 'Выберите время в ближайшие 30 дней'],
} as const

/** Problems of the fleet. A row with status 400 names its form field. */
export const fleetProblems = {
  'ess.not-ready': {
    status: 409,
    text: [
      'An ESS in operation needs an owner and at least one board. Add them first',
      'Работающей СНЭ нужны владелец и хотя бы одна плата. Сначала укажите их',
    ],
  },
  'ess.has-boards': {
    status: 409,
    text: ['This ESS still has boards. Remove them first', 'К этой СНЭ подключены платы. Сначала отключите их'],
  },
  'ess.not-deletable': {
    status: 409,
    text: [
      'Only a planned or decommissioned ESS can be deleted. Decommission it first',
      'Удалить можно только запланированную или выведенную СНЭ. Сначала выведите её из эксплуатации',
    ],
  },
  'ess.main-board-taken': {
    status: 409,
    text: [
      'This ESS already has a main board. Remove it or attach this one as a module',
      'У этой СНЭ уже есть главная плата. Отключите её или подключите эту как модуль',
    ],
  },
  'ess.decommissioned': {
    status: 409,
    text: ['This ESS is decommissioned and takes no boards', 'Эта СНЭ выведена из эксплуатации, платы к ней не подключают'],
  },
  'ess.owner-not-active': {
    status: 400,
    field: 'clientId',
    text: ['The owner must be an active client', 'Владельцем может быть только активный клиент'],
  },
  'ess.not-an-installer': {
    status: 400,
    field: 'installerId',
    text: ['This user is not an installer', 'Этот пользователь не монтажник'],
  },
  'ess.maintenance-time': { status: 400, field: 'until', text: timeAhead.maintenance },
  'ess.maintenance-reason': {
    status: 400,
    field: 'reason',
    text: ['Describe the maintenance work', 'Укажите, какие работы ведутся'],
  },

  'template.no-setting': {
    status: 400,
    field: 'settings',
    text: ['Choose at least one setting', 'Задайте хотя бы одну настройку'],
  },

  'relation.one-person': {
    status: 400,
    field: 'userId',
    text: ['Choose a person or enter an e-mail address, not both', 'Выберите человека или укажите почту, что-то одно'],
  },
  'relation.not-invitable': {
    status: 400,
    text: [
      'This person cannot be invited here. The account is locked, deleted or has another role',
      'Этого человека сюда пригласить нельзя: учётная запись заблокирована, удалена или у неё другая роль',
    ],
  },
  'relation.access-end': {
    status: 400,
    field: 'expiresAt',
    text: ['Choose a time in the future', 'Выберите время в будущем'],
  },
  'guest.is-owner': { status: 409, text: ['The owner already has access', 'У владельца уже есть доступ'] },
  'relation.exists': { status: 409, text: ['This person is already invited', 'Этот человек уже приглашён'] },
  'guest.too-many': {
    status: 409,
    text: [
      'An ESS has at most {max} guests. Remove one first',
      'У СНЭ не больше {max} гостей. Сначала отключите одного из них',
    ],
  },

  'board.reason-needed': {
    status: 400,
    field: 'reason',
    text: ['Give a reason. The owner may ask for it', 'Укажите причину: её может спросить владелец'],
  },
  'board.unknown': { status: 400, field: 'controlPcbId', text: ['There is no such board', 'Такой платы нет'] },
  'board.attached-elsewhere': {
    status: 409,
    text: [
      'This board already belongs to another ESS. Remove it there first',
      'Плата уже подключена к другой СНЭ. Сначала отключите её там',
    ],
  },
  'board.attached': {
    status: 409,
    text: ['This board is attached to an ESS. Remove it there first', 'Плата подключена к СНЭ. Сначала отключите её там'],
  },
  'board.retired': {
    status: 409,
    text: ['This board is retired. Choose another one', 'Эта плата списана. Выберите другую'],
  },
  'board.has-data': {
    status: 409,
    text: [
      'This board has already sent data and cannot be deleted. Retire it instead',
      'От этой платы уже приходили данные, удалить её нельзя. Переведите её в «Списана»',
    ],
  },
  'board.no-configuration': {
    status: 409,
    text: ['This board has no configuration yet. Configure it first', 'У этой платы ещё нет конфигурации. Сначала задайте её'],
  },

  'case.no-main-board': {
    status: 409,
    text: [
      'This ESS has no main board whose data could be kept. Attach one first',
      'У этой СНЭ нет главной платы, данные которой можно сохранить. Сначала подключите её',
    ],
  },
  'package.incomplete': {
    status: 409,
    text: [
      'Only a part of this packet was stored, so it cannot be decoded again',
      'Пакет сохранён не полностью, поэтому декодировать его заново нельзя',
    ],
  },
  'warning.assignee-not-staff': {
    status: 400,
    field: 'userId',
    text: ['Choose an active member of the staff', 'Выберите действующего сотрудника'],
  },
  'warning.assignee-not-serving': {
    status: 400,
    field: 'userId',
    text: [
      'This person does not serve the ESS with full rights. Choose another one',
      'Этот человек не обслуживает СНЭ с полными правами. Выберите другого',
    ],
  },
  'warning.snooze-time': { status: 400, field: 'until', text: timeAhead.snooze },

  'update.installed': {
    status: 409,
    text: ['{code} already runs {firmwareVersion}', 'На {code} уже установлена {firmwareVersion}'],
  },
  'update.pre-checks': {
    status: 409,
    text: ['{code} cannot be updated now: {failed}', 'Плату {code} сейчас обновить нельзя: {failed}'],
  },
  'update.state': {
    status: 409,
    text: [
      'The update is {present}: {state} may not follow. Possible: {next}',
      'Обновление в состоянии {present}: {state} за ним не следует. Возможно: {next}',
    ],
  },
  'update.other-version': {
    status: 409,
    text: [
      'This update installs {toVersion}. Look at the state of the board',
      'Это обновление ставит {toVersion}. Запросите состояние платы',
    ],
  },
  'device-key.replaced': {
    status: 409,
    text: ['This key was replaced. Ask with the present key', 'Этот ключ уже заменён. Запросите новый с действующим ключом'],
  },
  'device-key.prepared': {
    status: 409,
    text: [
      'An admin has made the next key of this board. Go on with the present one until you are given that',
      'Следующий ключ этой платы создал администратор. Пока его не передали, работайте с действующим',
    ],
  },
  'update.time': { status: 400, field: 'scheduledAt', text: timeAhead.update },

  'firmware.same-file': {
    status: 409,
    text: ['This file is already uploaded as {firmwareVersion}', 'Этот файл уже загружен как {firmwareVersion}'],
  },
  'firmware.version-taken': {
    status: 409,
    text: [
      'Version {firmwareVersion} already exists for this hardware. Upload a file with another version',
      'Версия {firmwareVersion} для этих плат уже есть. Загрузите файл с другой версией',
    ],
  },
  'firmware.damaged': {
    status: 409,
    text: [
      'The stored file is damaged: its integrity check failed. Upload it again',
      'Сохранённый файл повреждён: проверка целостности не пройдена. Загрузите его снова',
    ],
  },
  'firmware.not-proven': {
    status: 409,
    text: [
      'No board has been updated with this firmware yet. Only an admin can release it',
      'Эта прошивка ещё не испытана на платах. Выпустить её может только администратор',
    ],
  },
  'firmware.release-reason': {
    status: 400,
    field: 'reason',
    text: [
      'Give a reason to release it without a successful update',
      'Укажите, почему она выпускается без успешного обновления',
    ],
  },
  'firmware.revoke-reason': { status: 400, field: 'reason', text: ['Give a reason to revoke it', 'Укажите причину отзыва'] },
  'firmware.has-open-updates': {
    status: 409,
    text: [
      '{count, plural, one {# update} other {# updates}} with this firmware still open. Wait for the end or cancel first',
      'С этой прошивкой {count, plural, one {открыто # обновление} few {открыты # обновления} other {открыто # обновлений}}. Дождитесь завершения или сначала отмените',
    ],
  },
  'firmware.in-use': {
    status: 409,
    text: [
      '{count, plural, one {# board still runs} other {# boards still run}} this firmware. Update first',
      'Прошивка ещё работает на {count, plural, one {# плате} other {# платах}}. Сначала обновите',
    ],
  },
  'firmware.has-updates': {
    status: 409,
    text: [
      'There {count, plural, one {is # update} other {are # updates}} with this firmware. It cannot be deleted; archive it instead',
      'С этой прошивкой есть {count, plural, one {# обновление} few {# обновления} other {# обновлений}}. Удалить её нельзя, отправьте её в архив',
    ],
  },
} as const satisfies ProblemTable

/** Factory: `throw fleetProblem('ess.has-boards')`. */
export const fleetProblem = problemsOf(fleetProblems)
