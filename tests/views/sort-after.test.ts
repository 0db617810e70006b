import { expect, it } from 'vitest'
import { maxSorts, type Sort } from '#schema/list-query.ts'
import { sortAfter } from '#views/list/use-columns.tsx'

const sorted = (fields: string): Sort[] => [...fields].map((field) => ({ field, order: 'asc' }))

it('the sort after Shift and a click has the column as its last key, and no more keys than the server takes', () => {
  expect(sortAfter(sorted('abc'), 'd', 'asc', true)).toEqual(sorted('abcd'))
  const after = sortAfter(sorted('abcde'), 'f', 'asc', true)
  expect(after).toEqual(sorted('abcdf'))
  expect(after).toHaveLength(maxSorts)
})
