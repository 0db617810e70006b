import type { ProblemTable } from '#server/base/problem-table.ts'
import { problemsOf } from '#server/base/problems.ts'

export const oidcProblems = {
  'oidc.refused': {
    status: 400,
    text: [
      'The sign-in provider did not confirm this sign-in. Start again',
      'Провайдер входа не подтвердил этот вход. Начните заново',
    ],
  },
  'oidc.not-again': {
    status: 400,
    text: [
      'The sign-in provider did not ask you to sign in again. Start again and sign in there',
      'Провайдер входа не запросил повторный вход. Начните заново и войдите у него ещё раз',
    ],
  },
  'oidc.only': {
    status: 403,
    text: [
      'Your role signs in through the sign-in provider only. Use its button below the form',
      'Для вашей роли вход возможен только через провайдера входа. Нажмите его кнопку под формой',
    ],
  },
  'oidc.email-unverified': {
    status: 403,
    text: [
      'The sign-in provider has not verified your e-mail address. Verify it there, then start again',
      'Провайдер входа не подтвердил вашу почту. Подтвердите её там и начните заново',
    ],
  },
  'oidc.uninvited': {
    status: 403,
    text: [
      'There is no account here for your e-mail address. Ask an administrator to invite you',
      'Для вашей почты здесь нет учётной записи. Попросите администратора пригласить вас',
    ],
  },
  'oidc.other-account': {
    status: 403,
    text: [
      'This account is linked with another account of the sign-in provider. Ask an administrator',
      'Эта учётная запись связана с другой учётной записью у провайдера входа. Обратитесь к администратору',
    ],
  },
  'oidc.no-role': {
    status: 403,
    text: [
      'The sign-in provider gives you no role here. Ask an administrator',
      'Провайдер входа не даёт вам роли в этой консоли. Обратитесь к администратору',
    ],
  },
  'oidc.by-provider': {
    status: 409,
    text: ['You confirm through the sign-in provider', 'Подтвердите личность через провайдера входа'],
  },
  'oidc.dead': {
    status: 410,
    text: [
      'This sign-in has taken too long, or it was finished already. Start again',
      'Этот вход длился слишком долго или уже завершён. Начните заново',
    ],
  },
  'oidc.unavailable': {
    status: 503,
    text: [
      'The sign-in provider cannot be reached. Try again in a minute, or sign in by password',
      'Провайдер входа недоступен. Повторите через минуту или войдите по паролю',
    ],
  },
} as const satisfies ProblemTable

export const oidcProblem = problemsOf(oidcProblems)
