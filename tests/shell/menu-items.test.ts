import { expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { menuItem, menuKeyOf } from '#shell/menu/menu-items.ts'

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

it('the menu opens a list with the filters of its place, and marks the entry by the list alone', () => {
  const hrefs = resources.map((resource) => menuItem(resource, 'en', {}).href)
  expect(hrefs).toContain('/ess')
  expect(hrefs).toContain('/audit-log?action_ne=list&action_ne=read')
  expect(menuKeyOf('/audit-log', resources)).toBe('audit-log')
})

it('no two entries of the menu have one icon', () => {
  const icons = resources.filter(({ menu }) => menu !== false).map(({ icon }) => icon)
  expect(icons).toEqual([...new Set(icons)])
})
