import { accountProblem } from '#server/account/problems.ts'

/** Problems by the reason for a session's end; a reason without a row gets the general one. */
const endings = {
  idle: 'session-ended.idle',
  age: 'session-ended.age',
  locked: 'session-ended.locked',
  deleted: 'session-ended.deleted',
  'role changed': 'session-ended.role',
  'password changed': 'session-ended.password',
  'e-mail changed': 'session-ended.email',
  'second factor reset': 'session-ended.factor-reset',
  'second factor required': 'session-ended.factor-required',
  'token reuse': 'session-ended.reused',
  'ended by user': 'session-ended.by-user',
  'demo off': 'session-ended.demo-off',
} as const

/** The problem for a token of an ended session; only its holder sees it. */
export function sessionEnded(reason: string | undefined): Error {
  const code = Object.entries(endings).find(([known]) => known === reason)?.[1]
  return accountProblem(code ?? 'session-ended')
}
