import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { checkHints } from '#schema/check/hints/check-hints.ts'
import { checkResources } from '#schema/check-resources.ts'
import type { AnyResource } from '#schema/resource.ts'
import { draftResource, draftText, labelOf } from '#server/dev/drafts/draft.ts'
import { draftFromDocument } from '#server/dev/drafts/from-openapi.ts'
import { faultsOf, template, withResource } from '#server/dev/new-resource.ts'

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

const described = (schemas: object) =>
  draftFromDocument({ components: { schemas } }, '/components/schemas/Unit', new Set(['unit']))
const textProperty = { type: 'string' }

it('drafts a schema that refers to itself, alone, in lists, in wrappers and by way of another one', () => {
  const unit = { $ref: '#/components/schemas/Unit' }
  const site = { type: 'object', properties: { city: textProperty, main: unit } }
  const { fields, doubts } = described({
    Unit: {
      type: 'object',
      properties: {
        code: textProperty,
        parent: unit,
        lead: { anyOf: [unit, { type: 'null' }] },
        next: { description: 'The next one', allOf: [unit] },
        children: { type: 'array', items: unit },
        site: { $ref: '#/components/schemas/Site' },
      },
    },
    Site: site,
  })
  const types = Object.fromEntries(Object.entries(fields).map(([name, { type }]) => [name, type]))
  expect(types).toEqual({ code: 'text', parent: 'json', lead: 'json', next: 'json', children: 'json', site: 'group' })
  expect(fields.site?.fields).toMatchObject({ city: { type: 'text' }, main: { type: 'json' } })
  expect(doubts.map(({ field }) => field)).toEqual(['parent', 'lead', 'next', 'children', 'site'])
  expect(new Set(doubts.map(({ text }) => text))).toEqual(
    new Set(['It holds what it is itself part of: a reference or `references` may suit it better.']),
  )
})

it('drafts parts of one schema in two places, and a base beside what is joined to it', () => {
  const place = { $ref: '#/components/schemas/Place' }
  const { fields, doubts } = described({
    Unit: { allOf: [place, { type: 'object', properties: { from: place, to: place } }] },
    Place: { type: 'object', properties: { city: textProperty } },
  })
  expect(Object.keys(fields)).toEqual(['city', 'from', 'to'])
  expect([fields.from?.type, fields.to?.type, doubts]).toEqual(['group', 'group', []])
})

it('takes over the least length of texts and of what is only written', () => {
  const { fields } = described({
    Unit: {
      type: 'object',
      properties: {
        short: { type: 'string', minLength: 3, maxLength: 20 },
        long: { type: 'string', minLength: 10, maxLength: 2000 },
        key: { type: 'string', format: 'password', minLength: 8 },
        open: { type: 'string', minLength: 0 },
      },
    },
  })
  const leastOf = Object.fromEntries(Object.entries(fields).map(([name, facts]) => [name, facts.minLength]))
  expect(leastOf).toEqual({ short: 3, long: 10, key: 8, open: undefined })
})

it('has no share in the faults of other definitions', () => {
  const draft = { fields: { plannedOn: { type: 'date', label: labelOf('plannedOn') } }, unique: [], doubts: [] }
  const faulty = { name: 'crate', label: { one: ['Crate', 'Ящик'], many: ['Crates', 'Ящики'] }, title: 'nothing', fields: {} }
  expect(checkResources([faulty])).not.toEqual([])
  expect(faultsOf(draftResource('site-visit', draft), [faulty])).toEqual([])
  const broken = { ...draft, fields: { essId: { type: 'reference', label: labelOf('essId'), to: 'nowhere' } } }
  expect(faultsOf(draftResource('site-visit', broken), [faulty]).join()).toContain('nowhere')
})

it('leaves out the record that stands beside its reference, which travels under the same name', () => {
  const ess = { type: 'object', properties: { code: textProperty } }
  const visit = { type: 'object', properties: { essId: textProperty, ess } }
  const visits = { type: 'array', items: visit }
  const unit = { type: 'object', properties: { essId: textProperty, ess, visit, visits } }
  const { fields, doubts } = draftFromDocument({ unit }, '/unit', new Set(['ess']))
  expect(Object.keys(fields)).toEqual(['essId', 'visit', 'visits'])
  expect(fields.visit?.fields).toEqual({ essId: expect.objectContaining({ type: 'reference', to: 'ess' }) })
  const leftOut = doubts.filter(({ text }) => text.startsWith('"ess" is left out'))
  expect(leftOut.map(({ field }) => field)).toEqual(['visit', 'visits', 'essId'])
  expect(faultsOf(draftResource('unit', { fields, unique: [], doubts }), resources)).toEqual([])
})
