import { expect, it } from 'vitest'
import { fieldText } from '#fields/field-text.ts'
import { auditDetails } from '#resources/fleet/audit-details.ts'

it('an entry of the audit log tells how many rows were read to the last one', () => {
  const { matching = expect.fail() } = auditDetails
  expect(fieldText(matching, 2645, { language: 'en' })).toBe('2,645')
})
