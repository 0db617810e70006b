import { expect, it } from 'vitest'
import { escalation } from '#resources/escalation.ts'
import { getsNotices, noticeKinds, noticeRoles } from '#resources/fleet/notice-kinds.ts'

it('notifications come to everybody but installers', () => {
  expect(noticeRoles).toEqual(['admin', 'moderator', 'service_engineer', 'client'])
  expect(getsNotices('installer')).toBe(false)
})

it('an escalation names the roles that it comes to', () => {
  expect(Object.keys(escalation.fields.role.options).toSorted()).toEqual([...noticeKinds.escalation].toSorted())
})
