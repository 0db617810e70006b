import { expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { ownCalls } from '#schema/check/use/check-calls.ts'
import { roleTable } from '#tests/fixtures/role-table.ts'

it('the names that no resource may have are those of the calls of the server', () => {
  const names = new Set(resources.map(({ name }) => name))
  const segments = new Set(Object.keys(roleTable).map((call) => call.replace(/^\S+ \/api\//, '').split('/')[0] ?? ''))
  const own = [...segments].filter((segment) => !names.has(segment))
  expect(own.filter((segment) => !ownCalls.some((call) => call === segment))).toEqual([])
  expect(own.length).toBeGreaterThan(10)
})
