import { describe, expect, it } from 'vitest'
import { type FactName, type PartPlace, partFacts } from '#schema/check/parts/part-facts.ts'
import shapes from '#schema/check/shape/shapes.json' with { type: 'json' }
import { checkResources, faultLine } from '#schema/check-resources.ts'
import { soundPartFacts } from '#tests/fixtures/misleading-part-facts.ts'
import { type Facts, knownNames, named, options, rule, site, states } from '#tests/fixtures/misleading-parts.ts'

const bare = (key: string) => key.replace(/\?$/, '')
const language = new Set(
  [shapes.CommonFacts.keys, ...Object.values(shapes.Field.kinds).map(({ keys }) => keys)].flatMap((keys) =>
    Object.keys(keys).map(bare),
  ),
)

const number = named('integer')
const reference = named('reference', { to: 'person' })
const tags = named('tags', { options: ['A', 'B'] })

/** A part that says the fact, for every fact. */
const parts: Readonly<Record<FactName, Facts>> = {
  label: named('text'),
  help: named('text', { help: ['Help', 'Помощь'] }),
  none: named('text', { none: ['None', 'Нет'] }),
  required: named('text', { required: true }),
  unique: named('text', { unique: true }),
  immutable: named('text', { immutable: true }),
  readOnly: named('text', { readOnly: true }),
  derived: named('text', { derived: true }),
  search: named('text', { search: true }),
  detailOnly: named('text', { detailOnly: true }),
  danger: named('text', { danger: true }),
  fresh: named('text', { fresh: true }),
  sortOnly: named('integer', { sortOnly: { ties: { field: 'name', order: 'asc' } } }),
  access: named('text', { access: { write: ['admin'] } }),
  when: named('text', { when: rule('kind', 'eq', 'A') }),
  was: named('text', { was: 'former' }),
  convert: named('integer', { convert: { from: 'text' } }),
  backfill: named('text', { required: true, backfill: 'A' }),
  minLength: named('text', { minLength: 2 }),
  maxLength: named('text', { maxLength: 2 }),
  pattern: named('text', { pattern: '[A-Z]', help: ['A letter', 'Буква'] }),
  worded: named('text', { worded: { pattern: '^m(?<n>\\d+)$', label: ['module {n}', 'модуль {n}'] } }),
  default: named('text', { default: 'A' }),
  min: { ...number, min: 1 },
  max: { ...number, max: 1 },
  digits: named('decimal', { digits: 1 }),
  options: named('enum', { options }),
  maxItems: { ...tags, maxItems: 2 },
  bytes: named('hex', { bytes: 2 }),
  unit: named('quantity', { unit: 'W' }),
  unitOf: named('decimal', { unitOf: 'kind' }),
  unitWas: named('quantity', { unit: 'W', unitWas: 'kW' }),
  scale: named('quantity', { unit: 'W', scale: 'none' }),
  currency: named('money', { currency: 'EUR' }),
  currencyOf: named('money', { currencyOf: 'kind' }),
  choicesWere: named('enum', { options, choicesWere: { A: 'C' } }),
  labelsWere: named('enum', { options, labelsWere: { A: ['Former', 'Прежнее'] } }),
  choicesGone: named('enum', { options, choicesGone: { C: null } }),
  givenBy: named('enum', { options, givenBy: {} }),
  order: named('enum', { options, order: 'label' }),
  states: named('status', { states }),
  starts: named('status', { states, starts: ['NEW'] }),
  zone: named('dateTime', { zone: 'utc' }),
  relative: named('dateTime', { relative: true }),
  seconds: named('dateTime', { seconds: true }),
  to: reference,
  circular: named('reference', { to: 'site', circular: true }),
  groups: { ...reference, groups: { by: 'role', labels: options } },
  fills: { ...reference, fills: ['name'] },
  runs: { ...tags, runs: true },
  valuesOf: named('tags', { valuesOf: 'person.name' }),
  of: named('count', { of: 'person', by: 'siteId' }),
  by: named('count', { of: 'person', by: 'siteId' }),
  where: named('count', { of: 'person', by: 'siteId', where: rule('role', 'eq', 'A') }),
  fields: named('group', { fields: { inner: named('text') } }),
  line: named('group', { fields: { inner: named('text') }, line: '{inner}' }),
  flow: named('group', { fields: { inW: named('quantity', { unit: 'W' }) }, flow: { parts: { inW: { icon: 'bolt' } } } }),
  sections: named('group', { fields: { inner: number }, sections: [{ label: ['S', 'С'], fields: ['inner'] }] }),
  divides: named('list', {
    fields: { share: number },
    divides: { count: 'share', share: 'share', label: named('x').label, usual: [{}] },
  }),
  bars: named('list', { fields: { share: number, name: named('text') }, bars: { by: 'name', counts: { share: 'good' } } }),
  accept: named('file', { accept: '.csv' }),
  maxBytes: named('file', { maxBytes: 5 }),
  sent: named('file', { sent: 'alone' }),
}

const places: readonly PartPlace[] = ['group', 'list']
const cases = Object.entries(partFacts).flatMap(([fact, row]) => places.map((place) => ({ fact, place, keeping: row[place] })))

const faultsAt = (path: string, resources: readonly unknown[]) =>
  checkResources(resources, knownNames).flatMap((one) =>
    one.code === 'rule-in-part' && one.path === path ? [one.message] : [],
  )

describe('a fact of a part', () => {
  it('has a row for every fact of the language, and no row for another word', () => {
    expect(Object.keys(partFacts).toSorted()).toEqual([...language].toSorted())
  })

  it.each(cases)('$fact in a $place is kept, or refused in words', ({ fact, place, keeping }) => {
    const part = parts[fact as FactName]
    expect(Object.keys(part)).toContain(fact)
    const resources = site({}, { own: named(place, { fields: { room: part, kind: named('enum', { options }) } }) })
    const told = faultsAt(`site.fields.own.fields.room.${fact}`, resources)
    expect(told).toEqual(keeping === 'kept' ? [] : [keeping.why])
    if (keeping !== 'kept') expect(keeping.why).toMatch(/; (drop it|put it on|make|derive|give|take)/)
  })

  it('that is kept is no fault, nor is a type that is', () => {
    for (const resources of soundPartFacts)
      expect(checkResources(resources, knownNames).map((fault) => faultLine(fault))).toEqual([])
  })

  it('is refused in the rows of a list with what to do instead', () => {
    const resources = site({}, { own: named('list', { fields: { room: named('text', { access: { read: ['admin'] } }) } }) })
    expect(checkResources(resources, knownNames).map((fault) => faultLine(fault))).toEqual([
      'site.fields.own.fields.room.access: the rows of a list have no "access" of their own; put it on the list itself, or make the rows a resource of their own that refers to this one, and show them in a related tab (rule-in-part)',
    ])
  })
})
