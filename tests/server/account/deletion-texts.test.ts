import { expect, it } from 'vitest'
import { clientDeletion, restoreDays, userDeletion } from '#resources/shared/people.ts'
import { dayMs } from '#schema/format/durations.ts'
import { linkLifeMs } from '#server/account/link.ts'

it('names the days of the link that restores a deleted account, in both languages', () => {
  expect(linkLifeMs.CANCEL_DELETE).toBe(restoreDays * dayMs)
  for (const { also } of [userDeletion, clientDeletion]) {
    const [own, last] = [also[0], also.at(-1)]
    for (const text of [...own.text, ...(last?.text ?? [])]) expect(text).toContain(`${restoreDays} `)
  }
})
