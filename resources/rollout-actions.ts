import type { Action } from '#schema/resource.ts'

/** How a rollout is led. Whoever looks after the fleet may hold it; letting it go on is the admin's. */
export const rolloutActions = {
  start: {
    label: ['Start', 'Начать'], icon: 'play', roles: ['admin'], when: { field: 'status', op: 'eq', value: 'DRAFT' },
    confirm: { body: ['The boards of the first wave are asked to update.',
      'Платы первой волны получат запрос на обновление.'] },
    success: ['The rollout has started', 'Раскатка начата'],
  },
  pause: {
    label: ['Pause', 'Приостановить'], icon: 'pause', roles: ['admin', 'moderator'],
    when: { field: 'status', op: 'eq', value: 'RUNNING' },
    form: { note: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 } },
    success: ['No further board begins', 'Новые платы не начинают'],
  },
  resume: {
    label: ['Resume', 'Продолжить'], icon: 'play', roles: ['admin'], when: { field: 'status', op: 'eq', value: 'PAUSED' },
    form: { note: { type: 'text', label: ['Why it may go on', 'Почему можно продолжать'], required: true, maxLength: 250 } },
    success: ['The rollout goes on', 'Раскатка продолжается'],
  },
  stop: {
    label: ['Stop', 'Остановить'], icon: 'ban', roles: ['admin'], refresh: ['firmware-update'],
    when: { field: 'status', op: 'in', value: ['RUNNING', 'PAUSED'] },
    confirm: { danger: true, body: ['Boards that have not begun keep their version; those that have begun finish.',
      'Платы, которые не начали, останутся на своей версии; начавшие закончат.'] },
    success: ['The rollout is stopped', 'Раскатка остановлена'],
  },
} as const satisfies Record<string, Action>
