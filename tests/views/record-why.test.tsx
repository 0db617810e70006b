import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Tables } from '#tests/support/memory-provider.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const threeDaysMs = 3 * 86_400_000

/** Boat 1 floats, boat 2 has sunk. */
const fleet = (sunk: object = { log: 'Storm' }): Tables => {
  const boat = (id: string, code: string, state: string) => ({
    id,
    code,
    name: code,
    state,
    soldOn: null,
    secretNote: 'psst',
    berth: null,
    version: 1,
    createdAt: '2026-01-02T03:04:05.000Z',
    updatedAt: new Date(Date.now() - threeDaysMs).toISOString(),
  })
  return {
    boat: [
      { ...boat('b1', 'B001', 'READY'), log: '' },
      { ...boat('b2', 'B002', 'SUNK'), ...sunk },
    ],
    sailor: [],
  }
}

it('says below the heading why a record is as it is: in the tone of its state, with what is known, and where to go on', async () => {
  renderScreens({ at: '/boats/b2', tables: fleet() })
  const told = await screen.findByText(/^Sunk since 2 Jan 2026, \d\d:04 \(.* ago\): it leaks \(psst\)\. Pumped 3 days ago:/)
  expect(told.querySelector('.ui-dot-bad')).not.toBeNull()
  expect(within(told).getByRole('link', { name: 'Crew' }).getAttribute('href')).toBe('/boats/b2/crew')
})

it('leaves out of that sentence what the viewer may not read, and says none where none holds', async () => {
  const { go } = renderScreens({ at: '/boats/b2', tables: fleet(), role: 'service_engineer' })
  expect((await screen.findByText(/: it leaks\. Pumped/)).textContent).not.toContain('psst')
  go('/boats/b1')
  await screen.findByRole('heading', { level: 1, name: 'B001' })
  expect(screen.queryByText(/it leaks/)).toBeNull()
})

it('waits for the whole record where the row of a list cannot tell whether an earlier sentence holds', async () => {
  const waiting: (() => void)[] = []
  const before = ({ method }: { method: string }) =>
    method === 'one' ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined
  const tables = fleet({})
  renderScreens({ at: '/boats', tables, before })
  fireEvent.click(await screen.findByText('B002', { selector: 'a, a *' }))
  expect(screen.getByRole('heading', { level: 1, name: 'B002' })).toBeTruthy()
  expect(screen.queryByText(/it leaks/)).toBeNull()
  Object.assign(tables.boat?.[1] ?? {}, { log: 'Wreck' })
  for (const go of waiting.splice(0)) go()
  await screen.findByText('A wreck.')
})

it('leads to the record that a sentence names, and to none where there is none', async () => {
  const tables = fleet()
  Object.assign(tables.boat?.[0] ?? {}, { kind: 'MOTOR', ownerId: 's1', owner: { id: 's1', name: 'Ada Lovelace' } })
  const { go } = renderScreens({ at: '/boats/b1', tables })
  const link = within(await screen.findByText(/^Ask the owner:/)).getByRole('link', { name: 'Ada Lovelace' })
  expect(link.getAttribute('href')).toMatch(/\/s1$/)
  Object.assign(tables.boat?.[1] ?? {}, { kind: 'MOTOR', state: 'READY', ownerId: null })
  go('/boats/b2')
  expect(within(await screen.findByText(/^Ask the owner:/)).queryByRole('link')).toBeNull()
})
