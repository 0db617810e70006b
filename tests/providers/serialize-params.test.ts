import { expect, it } from 'vitest'
import { serializeParams } from '#providers/serialize-params.ts'

it('repeats the key of an array without brackets, and leaves out what is nothing', () => {
  const params = {
    status: ['ACTIVE', 'LOCKED'],
    q: 'A&B +5%',
    page: 2,
    none: null,
    left: undefined,
    is: false,
    at: new Date(0),
  }
  expect(serializeParams(params)).toBe(
    'status=ACTIVE&status=LOCKED&q=A%26B+%2B5%25&page=2&is=false&at=1970-01-01T00%3A00%3A00.000Z',
  )
})
