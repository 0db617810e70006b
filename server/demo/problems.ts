import type { ProblemTable } from '#server/base/problem-table.ts'
import { problemsOf } from '#server/base/problems.ts'

export const demoProblems = {
  'demo.off': {
    status: 409,
    text: [
      'The demo is turned off on this server. Set DEMO to turn it on',
      'Демонстрационный режим на этом сервере выключен. Его включает переменная DEMO',
    ],
  },
  'demo.exists': {
    status: 409,
    text: ['There is already a demo fleet. Remove it first', 'Демонстрационный парк уже есть. Сначала удалите его'],
  },
  'demo.changed': {
    status: 409,
    text: [
      'The demo fleet now has {count, plural, one {# system} other {# systems}}. Check it and try again',
      'В демонстрационном парке теперь {count, plural, one {# система} few {# системы} other {# систем}}. Проверьте и повторите',
    ],
  },
  'demo.code-taken': {
    status: 409,
    text: [
      'The code {code} belongs to a record outside the demo. Change that code or choose a smaller fleet',
      'Код {code} занят записью вне демонстрационного парка. Измените его или уменьшите парк',
    ],
  },
} as const satisfies ProblemTable

export const demoProblem = problemsOf(demoProblems)
