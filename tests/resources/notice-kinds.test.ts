import { expect, it } from 'vitest'
import { escalation } from '#resources/escalation.ts'
import { noticeKinds } from '#resources/fleet/notice-kinds.ts'
import { isNotified, roles } from '#schema/roles.ts'

it('every role that is notified gets some kind, and no other gets any', () => {
  const reached = new Set<string>(Object.values(noticeKinds).flat())
  expect(roles.filter(isNotified)).toEqual(roles.filter((role) => reached.has(role)))
})

it('notifications come to everybody but installers', () => {
  expect(roles.filter((role) => !isNotified(role))).toEqual(['installer'])
})

it('an escalation names the roles that it comes to', () => {
  expect(Object.keys(escalation.fields.role.options).toSorted()).toEqual([...noticeKinds.escalation].toSorted())
})
