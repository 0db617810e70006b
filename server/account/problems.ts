import type { ProblemTable } from '#server/base/problem-table.ts'
import { problemsOf } from '#server/base/problems.ts'

/** The refusals about people and their invitations. */
export const accountProblems = {
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
} as const satisfies ProblemTable

export const accountProblem = problemsOf(accountProblems)
