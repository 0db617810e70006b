import { expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { menuKeyOf } from '#shell/menu/menu-items.ts'

it.each([
  ['/', 'dashboard'],
  ['/webhook/7', 'webhook'],
  ['/webhook-delivery/7', 'webhook'],
  ['/rollout-board', 'rollout'],
  ['/profile', 'profile'],
  ['/nowhere', 'nowhere'],
])('the page %s marks the menu entry %s', (path, entry) => {
  expect(menuKeyOf(path, resources)).toBe(entry)
})

const withoutEntries = resources.filter(({ menu }) => menu === false)

it('a page marks no other entry where the role has none that lists it', () => {
  expect(menuKeyOf('/webhook-delivery/7', withoutEntries)).toBe('webhook-delivery')
})
