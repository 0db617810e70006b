import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkHints } from '#schema/check/hints/check-hints.ts'
import { checkResources } from '#schema/check-resources.ts'
import type { AnyResource } from '#schema/resource.ts'
import { draftResource, draftText, labelOf } from '#server/dev/drafts/draft.ts'
import { template, withResource } from '#server/dev/new-resource.ts'

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

it('marks the Russian place of a draft as untranslated, and the check says so', () => {
  const draft = { fields: { plannedOn: { type: 'date', label: labelOf('plannedOn') } }, unique: [], doubts: [] }
  const resource: unknown = draftResource('site-visit', draft)
  expect(labelOf('plannedOn')).toEqual(['Planned on', 'Перевести: Planned on'])
  expect(checkResources([resource])).toEqual([])
  const hints = checkHints([resource as AnyResource])
  expect(hints.map(({ code, path }) => `${path} ${code}`)).toEqual([
    'site-visit.label.one untranslated',
    'site-visit.label.many untranslated',
    'site-visit.fields.plannedOn.label untranslated',
  ])
  expect(hints[2]?.message).toBe('"Planned on" waits for its Russian text: write it in the place of "Перевести: Planned on"')
  expect(draftText('site-visit', draft, 'a test')).toContain("one: ['Site visit', 'Перевести: Site visit']")
  expect(template('site-visit')).toContain("many: ['Site visits', 'Перевести: Site visits']")
})
