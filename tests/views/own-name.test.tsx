import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { defineResource } from '#schema/resource.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { sailor } from '#tests/support/toy-definition.ts'

afterEach(cleanup)
expectQuietConsole()

const open = ['service_engineer'] as const
const boat = defineResource({
  name: 'boat',
  label: { one: ['Boat', 'Лодка'], many: ['Boats', 'Лодки'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    makerId: { type: 'reference', label: ['Maker', 'Кто ведёт'], to: 'sailor', default: '$user.id' },
  },
  access: { list: open, create: open, edit: open, delete: open },
})

it('calls viewers by their name where a form begins with them and they may not list people', async () => {
  const people = { ...sailor, access: { ...sailor.access, list: ['admin'] as const } }
  renderScreens({ at: '/boats/create', role: 'service_engineer', resources: [boat, people] })
  expect((await screen.findAllByText('Erik Engineer')).length).toBeGreaterThan(0)
  expect(screen.queryAllByText('me')).toEqual([])
})
