import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withResource } from '#server/dev/new-resource.ts'

it('adds a resource to the list: its import in order, its place last', () => {
  const before = readFileSync('resources/index.ts', 'utf8')
  const after = withResource(before, 'service-visit')
  expect(after).toContain("import { serviceVisit } from './service-visit.ts'\n")
  expect(after.trimEnd().endsWith('  serviceVisit,\n]')).toBe(true)
  expect(after.split('\n')).toHaveLength(before.split('\n').length + 2)
  expect(after.split('\n').filter((line) => !before.includes(line))).toHaveLength(2)
})

it('leaves the other imports where they are, as the linter has them', () => {
  const before = readFileSync('resources/index.ts', 'utf8')
  for (const name of ['control-pcb-note', 'maintenance-contract', 'ess-photo']) {
    const after = withResource(before, name).split('\n')
    expect(after.filter((line) => before.split('\n').includes(line))).toEqual(before.split('\n'))
  }
})
