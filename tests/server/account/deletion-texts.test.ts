import { expect, it } from 'vitest'
import { clientDeletion, restoreDays, userDeletion } from '#resources/shared/people.ts'
import { dayMs } from '#schema/format/durations.ts'
import { holds } from '#schema/rule.ts'
import { linkLifeMs } from '#server/account/link.ts'

it('names the days of the link that restores a deleted account, in both languages', () => {
  expect(linkLifeMs.CANCEL_DELETE).toBe(restoreDays * dayMs)
  for (const { also } of [userDeletion, clientDeletion]) {
    const [own, last] = [also[0], also.at(-1)]
    for (const text of [...own.text, ...(last?.text ?? [])]) expect(text).toContain(`${restoreDays} `)
  }
})

it('tells of a mail wherever the server may send one: to a locked account that nobody has signed in to as well', () => {
  const context = { user: { id: 'other', role: 'admin' }, now: new Date().toISOString() } as const
  for (const role of ['client', 'installer'])
    for (const [status, lastLoginAt, isTold] of [
      ['ACTIVE', null, true],
      ['LOCKED', '2026-01-01T00:00:00Z', true],
      ['LOCKED', null, true],
      ['INVITED', null, false],
    ] as const) {
      const record = { role, status, lastLoginAt, essCount: 0, invitationId: null }
      const told = userDeletion.also.filter((each) => !('when' in each) || holds(each.when, record, context))
      expect(told.filter(({ text }) => /mail/.test(text[0])).length, `${role} ${status} ${lastLoginAt}`).toBe(isTold ? 1 : 0)
    }
})
