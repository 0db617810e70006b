import { describe, expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import { knownNames, label, named, options, rule, states, text } from '#tests/fixtures/misleading-parts.ts'

type Facts = Readonly<Record<string, unknown>>

const fields = { name: text, kind: named('enum', { options }), state: named('status', { default: 'NEW', states }) }
const site = (own: Facts, more: Facts = {}) => ({ name: 'site', label, fields: { ...fields, ...own }, ...more })
const found = (...resources: unknown[]) => checkResources(resources, knownNames).map(({ code, path }) => `${path} ${code}`)

describe('a check', () => {
  it('names faults of fields and of what refers to fields in one run', () => {
    const faults = found(
      site(
        {
          size: { type: 'integr', label: ['Size', 'Размер'] },
          note: { type: 'text', label: ['Note'] },
          more: named('text', { when: rule('kin', 'eq', 'A') }),
          ring: named('text', { when: rule('ring', 'eq', 'x') }),
          own: named('text', { default: '{nme}' }),
        },
        {
          list: { columns: ['nme'], views: { open: { label: ['Open', 'Открытые'], filters: { stat: 'OPEN' } } } },
          actions: { close: { label: ['Close'], set: { state: 'GONE' } } },
          rules: [{ rule: rule('kind', 'eq', 'C'), at: 'kind', message: ['No', 'Нет'] }],
        },
      ),
      { name: 'visit', label, fields: { siteId: named('reference', { to: 'site', options: 'sites' }) } },
    )
    expect(faults).toEqual([
      'site.fields.size.type unknown-field-type',
      'site.fields.note.label missing-translation',
      'site.list.columns[0] unknown-column',
      'site.actions.close.label missing-translation',
      'site.rules[0].rule.value unknown-option',
      'site.fields.more.when.field unknown-rule-field',
      'site.fields.own.default unknown-field',
      'site.fields.ring.when circular-when',
      'site.list.views.open.filters.stat unknown-filter-field',
      'site.actions.close.set.state unknown-state',
      'visit.fields.siteId.options unknown-options',
    ])
  })

  it('says of a broken field what is wrong with it, and nothing of those that refer to it', () => {
    const use = {
      title: 'own',
      list: { columns: ['own'], filters: ['own'], sort: { field: 'own', order: 'asc' } },
      rules: [{ rule: rule('own', 'eq', 'A'), at: 'own', message: ['No', 'Нет'] }],
      actions: { close: { label: ['Close', 'Закрыть'], set: { own: 'A' }, form: { own: named('enum', { options }) } } },
    }
    for (const own of [
      'text',
      null,
      { label: ['Own', 'Своё'] },
      named('enmu', { options }),
      named('thing', { options }),
      named('enum', { options: [] }),
      named('status', { states: 'A' }),
    ])
      expect(found(site({ own }, use)), JSON.stringify(own)).toHaveLength(1)
  })

  it('says nothing of a tab whose reference is misspelt there', () => {
    const tabs = { visits: { label: ['Visits', 'Выезды'], resource: 'visit', create: true } }
    const visit = (facts: Facts) => ({ name: 'visit', label, fields: { siteId: named('reference', facts) } })
    expect(found(site({}, { tabs }), visit({ to: 'site' }))).toEqual([])
    expect(found(site({}, { tabs }), visit({ to: 'sites' }))).toEqual(['visit.fields.siteId.to unknown-resource'])
  })

  it('goes on for a part of a group, for a resource of a bad name and for a tab that is none', () => {
    const place = named('group', { fields: { room: { type: 'txt', label: ['Room', 'Помещение'] }, floor: text } })
    expect(found(site({ place }, { list: { columns: ['place.room', 'place.flor'] } }))).toEqual([
      'site.fields.place.fields.room.type unknown-field-type',
      'site.list.columns[1] unknown-column',
    ])
    expect(found({ ...site({}, { list: { columns: ['nme'] } }), name: 'siteVisit' })).toEqual([
      'resources[0].name bad-name',
      'siteVisit.list.columns[0] unknown-column',
    ])
    expect(found(site({}, { tabs: { a: 'people', b: { label: ['B'], resource: 'site', from: 'site/{id}/b' } } }))).toEqual([
      'site.tabs.a wrong-type',
      'site.tabs.b.label missing-translation',
    ])
  })

  it('goes on for an action whose condition is no rule', () => {
    const actions = { close: { label: ['Close', 'Закрыть'], when: 'open', set: { kind: 'C' } } }
    expect(found(site({}, { actions }))).toEqual([
      'site.actions.close.when bad-rule',
      'site.actions.close.set.kind unknown-option',
    ])
  })

  it('is not stopped by what it cannot read', () => {
    const odd = { list: 'all', tabs: 3, actions: { close: null }, sections: 'x', rules: [1], scope: { admin: 'all' } }
    expect(found(site({ note: { type: 'text', label: ['Note'] } }, odd))).toContain(
      'site.fields.note.label missing-translation',
    )
    expect(found(site({ own: named('text', { when: rule('kin', 'eq', 'A') }) }, odd))).toContain(
      'site.fields.own.when.field unknown-rule-field',
    )
  })
})
