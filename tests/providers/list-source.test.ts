import { expect, it } from 'vitest'
import { listSources } from '#providers/list-source.ts'
import { definitionsOf } from '#schema/definition.ts'
import { type Action, defineResource } from '#schema/resource.ts'

it('the choices of a form may be read from the moment that the form is there', () => {
  const invite: Action = { label: ['Invite', 'Пригласить'], form: {} }
  const site = defineResource({
    name: 'site',
    label: { one: ['Site', 'Объект'], many: ['Sites', 'Объекты'] },
    fields: {},
    actions: { invite },
  })
  const isListSource = listSources(definitionsOf([site]))
  expect(isListSource('site/7/people')).toBe(false)
  invite.form = { userId: { type: 'reference', label: ['Person', 'Человек'], to: 'person', options: 'site/{id}/people' } }
  expect(isListSource('site/7/people')).toBe(true)
})

it('rows that another value or an action ends are read from a list of their own', () => {
  const label = ['Ends {count}', 'Завершит {count}'] as const
  const site = defineResource({
    name: 'site',
    label: { one: ['Site', 'Объект'], many: ['Sites', 'Объекты'] },
    fields: { kind: { type: 'text', label: ['Kind', 'Вид'] } },
    ends: { kind: { tab: 'people', from: 'site/{id}/people?open=true', label } },
    actions: { close: { label: ['Close', 'Закрыть'], ends: { tab: 'people', from: 'site/{id}/guests', label } } },
  })
  const isListSource = listSources(definitionsOf([site]))
  expect(['site/7/people?open=true', 'site/7/guests', 'site/7/people'].map(isListSource)).toEqual([true, true, false])
})
