import { describe, expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import { knownNames, label, named, rule, staff, text } from '#tests/fixtures/misleading-parts.ts'

/** A fault that a check finds by looking at all definitions, in one that is well formed. */
const blind = {
  name: 'visit',
  label,
  fields: { name: text, personId: named('reference', { to: 'guard', required: true }) },
  access: { list: staff, create: staff, edit: [...staff, 'installer'] },
  rules: [{ rule: rule('name', 'eq', '$record.nme'), at: 'name', message: ['No', 'Нет'] }],
}
const guard = { name: 'guard', label, fields: { name: text }, access: { list: ['admin'] } }
const own = ['visit.access.edit acts-unseen', 'visit.fields.personId blind-pick', 'visit.rules[0].rule.value unknown-value']
const found = (...resources: unknown[]) =>
  checkResources(resources, knownNames).flatMap(({ code, path }) => (path.startsWith('visit.') ? [`${path} ${code}`] : []))

describe('faults of a definition', () => {
  it('are the same alone', () => {
    expect(found(blind, guard).toSorted()).toEqual(own)
  })

  it.each([
    ['a tab that is none', { tabs: { more: 'people' } }],
    ['tabs that are none', { tabs: null }],
    ['fields that are none', { fields: null }],
    ['a field that is none', { fields: { name: text, more: null } }],
    ['an action that is none', { actions: { close: null } }],
    ['permissions that are none', { access: 'all' }],
    ['calls that are none', { api: 7 }],
    ['a list that is none', { list: [null], figures: 3, sections: 'x' }],
    ['a base that is none', { subset: 'guard' }],
  ])('are told beside another definition with %s', (_what, more) => {
    expect(found(blind, guard, { name: 'odd', label, fields: { name: text }, ...more }).toSorted()).toEqual(own)
  })

  it('are told beside two definitions of one name', () => {
    const twice = { name: 'odd', label, fields: { name: text } }
    expect(found(blind, guard, twice, twice).toSorted()).toEqual(own)
    expect(found(blind, guard, { ...guard, access: { list: staff } }).toSorted()).toEqual(
      own.filter((fault) => !fault.endsWith('blind-pick')),
    )
  })

  it('of a definition that could not be read to the end are announced', () => {
    const waiting: string[] = []
    checkResources([blind, guard, { name: 'odd', label, fields: { name: text }, tabs: { more: 'people' } }], {
      ...knownNames,
      waits: (name) => waiting.push(name),
    })
    expect(new Set(waiting)).toEqual(new Set(['odd']))
  })
})
