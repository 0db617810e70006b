import type { ProblemTable } from '#server/base/problem-table.ts'
import { problemsOf } from '#server/base/problems.ts'

export const accountProblems = {
  'session-ended': { status: 401, text: ['Your session has ended. Please sign in again', 'Сеанс завершён. Войдите ещё раз'] },
  'session-ended.idle': {
    status: 401,
    text: ['You were signed out after an hour without activity', 'Сеанс завершён: час не было активности'],
  },
  'session-ended.age': {
    status: 401,
    text: ['You were signed out: a session lasts one day', 'Сеанс завершён: он длится не больше суток'],
  },
  'session-ended.locked': { status: 401, text: ['Your account was locked', 'Ваша учётная запись заблокирована'] },
  'session-ended.deleted': { status: 401, text: ['Your account was deleted', 'Ваша учётная запись удалена'] },
  'session-ended.role': {
    status: 401,
    text: ['Your role was changed. Please sign in again', 'Ваша роль изменена. Войдите ещё раз'],
  },
  'session-ended.password': {
    status: 401,
    text: ['Your password was changed. Sign in with the new one', 'Ваш пароль изменён. Войдите с новым'],
  },
  'session-ended.email': {
    status: 401,
    text: ['Your e-mail was changed. Sign in with the new one', 'Ваша эл. почта изменена. Войдите с новым адресом'],
  },
  'session-ended.factor-reset': {
    status: 401,
    text: ['Your second factor was reset. Please sign in again', 'Ваш второй фактор сброшен. Войдите ещё раз'],
  },
  'session-ended.factor-required': {
    status: 401,
    text: [
      'Your role now needs a second factor. Please sign in again',
      'Для вашей роли теперь нужен второй фактор. Войдите ещё раз',
    ],
  },
  'session-ended.reused': {
    status: 401,
    text: [
      'The session was ended for safety: its token came twice. Please sign in again',
      'Сеанс завершён из соображений безопасности: его ключ пришёл дважды. Войдите ещё раз',
    ],
  },
  'session-ended.by-user': {
    status: 401,
    text: ['This session was ended in your profile', 'Этот сеанс завершён в вашем профиле'],
  },
  'session-ended.demo-off': {
    status: 401,
    text: ['The demo was switched off, and its accounts are closed', 'Демо выключено, его учётные записи закрыты'],
  },
  'user.owns-systems': {
    status: 409,
    text: [
      'A client who owns an ESS stays a client. Choose another owner there first',
      'Клиент, у которого есть СНЭ, остаётся клиентом. Сначала смените их владельца',
    ],
  },
  'user.already-deleted': { status: 409, text: ['This user is already deleted', 'Этот пользователь уже удалён'] },
  'wrong-code': {
    status: 400,
    field: 'code',
    text: [
      'This code is wrong or was used already. Wait for the next one',
      'Код неверный или уже использован. Дождитесь следующего',
    ],
  },
  'passkey.refused': {
    status: 400,
    text: [
      'This passkey was not accepted. Try another one, or sign in another way',
      'Этот ключ доступа не принят. Попробуйте другой или войдите иначе',
    ],
  },
  'passkey.dead': {
    status: 409,
    text: ['This has taken too long, or was finished already. Try again', 'Время истекло, или это уже завершено. Повторите'],
  },
  'passkey.present': {
    status: 409,
    text: ['This passkey is in use already', 'Этот ключ доступа уже используется'],
  },
  'passkey.too-many': {
    status: 409,
    text: ['You have 20 passkeys. Remove one first', 'У вас 20 ключей доступа. Сначала удалите один из них'],
  },
  'challenge.dead': {
    status: 410,
    text: ['This sign-in has taken too long. Start again with your password', 'Время входа истекло. Начните снова с пароля'],
  },
  'second-factor.present': {
    status: 409,
    text: ['There is a second factor already. Remove it first', 'Второй фактор уже есть. Сначала удалите его'],
  },
  'second-factor.absent': { status: 409, text: ['There is no second factor', 'Второго фактора нет'] },
  'second-factor.required': {
    status: 409,
    text: [
      'Your role signs in with a second factor only. Set up another one first',
      'Для вашей роли второй фактор обязателен. Сначала подключите другой',
    ],
  },
  'invitation.accepted': {
    status: 409,
    text: ['This invitation was already accepted', 'Это приглашение уже принято'],
  },
  'invitation.revoked': {
    status: 409,
    text: ['This invitation was revoked. Invite the person again', 'Это приглашение отозвано. Пригласите человека снова'],
  },
  'invitation.user-barred': {
    status: 409,
    text: [
      'The invited user is locked or deleted. Unlock or restore the account first',
      'Приглашённый пользователь заблокирован или удалён. Сначала восстановите его учётную запись',
    ],
  },
  'undelivered.link-dead': {
    status: 409,
    text: [
      'The link of this mail was used, replaced or has expired. Invite the person again, or have a new link asked for',
      'Ссылка из этого письма использована, заменена или устарела. Пригласите человека снова, или пусть он запросит новую ссылку',
    ],
  },
  'undelivered.link-lost': {
    status: 409,
    text: [
      'The link of this mail is sealed by a key that is gone. Invite the person again, or have a new link asked for',
      'Ссылка из этого письма запечатана утраченным ключом. Пригласите человека снова, или пусть он запросит новую ссылку',
    ],
  },
} as const satisfies ProblemTable

export const accountProblem = problemsOf(accountProblems)
