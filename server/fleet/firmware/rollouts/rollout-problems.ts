import type { ProblemTable } from '#server/base/problem-table.ts'
import { problemsOf } from '#server/base/problems.ts'

export const rolloutProblems = {
  'rollout.wave-size': {
    status: 400,
    field: 'waves',
    text: ['Give each wave either a number of boards or a share', 'Укажите для каждой волны либо число плат, либо долю'],
  },
  'rollout.last-wave': {
    status: 400,
    field: 'waves',
    text: ['The last wave must take all boards: 100 %', 'Последняя волна должна охватывать все платы: 100 %'],
  },
  'rollout.versions': {
    status: 400,
    field: 'versionTo',
    text: ['This version is older than the one that it begins with', 'Эта версия старее той, с которой начинается'],
  },
  'rollout.started': {
    status: 409,
    text: [
      'This rollout has started and can no longer be changed or deleted',
      'Эта раскатка уже начата, изменить или удалить её нельзя',
    ],
  },
  'rollout.no-boards': {
    status: 409,
    text: [
      'No board can take it or needs it. Choose other boards, firmware or settings',
      'Нет плат, которым это подходит и нужно. Выберите другие платы, прошивку или настройки',
    ],
  },
} as const satisfies ProblemTable

/** Factory: `throw rolloutProblem('rollout.started')`. */
export const rolloutProblem = problemsOf(rolloutProblems)
