import { expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { menuKeyOf } from '#shell/menu/menu-items.ts'

const inMenu = resources.filter(({ menu }) => menu !== false)

it.each([
  ['/', 'dashboard'],
  ['/webhook/7', 'webhook'],
  ['/webhook-delivery/7', 'webhook'],
  ['/rollout-board', 'rollout'],
  ['/profile', 'profile'],
  ['/nowhere', 'nowhere'],
])('the page %s marks the menu entry %s', (path, entry) => {
  expect(menuKeyOf(path, resources, inMenu)).toBe(entry)
})

it('a page marks no other entry where the role has none that lists it', () => {
  expect(menuKeyOf('/webhook-delivery/7', resources, [])).toBe('webhook-delivery')
})
