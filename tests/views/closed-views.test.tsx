import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { lastList, numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const noted: AnyResource = {
  ...boat,
  list: {
    ...boat.list,
    views: {
      ...boat.list?.views,
      noted: { label: ['Noted', 'С заметкой'], filters: { state: 'READY', secretNote_null: false } },
    },
  },
}
const open = (at: string, role: Role) => renderScreens({ at, role, tables: numbered(4), resources: [noted, sailor] })

it('offers a view of a list to those only who may read what it filters by', async () => {
  open('/boats', 'moderator')
  await screen.findByText('B001')
  expect(screen.getByRole('link', { name: 'Sunk' })).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Noted' })).toBeNull()
  cleanup()
  open('/boats', 'admin')
  expect(await screen.findByRole('link', { name: 'Noted' })).toBeTruthy()
})

it('offers a view to the roles that it is meant for', async () => {
  const meant: AnyResource = {
    ...boat,
    list: {
      ...boat.list,
      views: {
        ...boat.list?.views,
        docked: { label: ['Docked', 'У причала'], filters: { state: 'READY' }, roles: ['moderator'] },
      },
    },
  }
  for (const [role, count] of [
    ['admin', 0],
    ['moderator', 1],
  ] as const) {
    renderScreens({ at: '/boats', role, tables: numbered(4), resources: [meant, sailor] })
    expect(await screen.findByRole('link', { name: 'Sunk' })).toBeTruthy()
    expect(screen.queryAllByRole('link', { name: 'Docked' })).toHaveLength(count)
    cleanup()
  }
})

it('leaves out of an address what the viewer may not filter or sort by, and says so', async () => {
  const { calls } = open('/boats?secretNote_null=false&state=READY&sort=-secretNote', 'moderator')
  await screen.findByText('B001')
  expect(lastList(calls)).toMatchObject({ filters: [{ field: 'state' }], sorters: [] })
  expect(screen.getByText(/ignored: secretNote_null/)).toBeTruthy()
})
