import { expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import type { Permissions } from '#schema/permissions.ts'
import { defineResource } from '#schema/resource.ts'
import { filterableFields, listFields } from '#views/list/filterable-fields.ts'

const contract = defineResource({
  name: 'contract',
  label: { one: ['Contract', 'Договор'], many: ['Contracts', 'Договоры'] },
  fields: {
    number: { type: 'code', label: ['Number', 'Номер'] },
    terms: {
      type: 'group',
      label: ['Terms', 'Условия'],
      fields: {
        days: { type: 'integer', label: ['Days', 'Дни'] },
        address: { type: 'group', label: ['Address', 'Адрес'], fields: { city: { type: 'text', label: ['City', 'Город'] } } },
      },
    },
  },
  list: { columns: ['number', 'terms.address.city'], filters: ['terms.days', 'terms.address.city'] },
})

it('a part of a group in a group is a filter and a column to the types, to the check and to the menus', () => {
  expect(checkResources([contract])).toEqual([])
  const rights: Permissions = {}
  const paths = filterableFields(contract, rights).map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['number', 'terms.days', 'terms.address.city']))
  const city = listFields(contract, rights).find(({ path }) => path === 'terms.address.city')
  expect([city?.field.label[0], city?.inside?.label[0]]).toEqual(['City', 'Address'])
})
