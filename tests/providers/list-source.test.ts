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
