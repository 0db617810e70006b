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
