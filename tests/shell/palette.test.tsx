import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { openConsole, userOf } from './open-console.tsx'

expectQuietConsole()
// This browser tells of a closed dialog at once: the trial run of effects would close the palette as it opens.
beforeEach(() => void vi.spyOn(HTMLDialogElement.prototype, 'close').mockReturnValue(undefined))
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const place = { ess: { id: 's1', code: 'ESS-000012', name: 'Mill' }, controlPcb: { id: 'p1', code: 'PCB-ABCDEF' } }
const warning = { id: 'w1', version: 1, code: 'BOARD_OFFLINE', severity: 'CRITICAL', essId: 's1', controlPcbId: 'p1', ...place }
const entry = {
  id: '01a21c40-04e7-7000-8000-000000000001',
  at: '2026-03-31T10:00:00Z',
  action: 'configure',
  code: 'PCB-ABCDEF',
}

const people = [
  { ...userOf('client'), id: 'u1', name: 'Ann Lee', email: 'ann@example.com' },
  { ...userOf('client'), id: 'u2', email: 'bob@example.com' },
]

/** The palette of a console that finds people by their address. */
async function opened() {
  const page = await openConsole({
    role: 'admin',
    at: '/ess',
    server: (call) => {
      const [path, query] = call.split('?')
      if (path === 'GET telemetry-warning') return { body: [warning], total: 1 }
      if (path === 'GET audit-log') return { body: [{ ...entry, entityType: 'control-pcb' }], total: 1 }
      if (path !== 'GET user') return
      const q = new URLSearchParams(query).get('q') ?? ''
      const body = people.filter(({ email }) => email.startsWith(q))
      return { body, total: body.length }
    },
  })
  const button = await screen.findByRole('button', { name: /^Search and commands/ })
  await act(async () => void fireEvent.click(button))
  const box = await screen.findByRole('combobox', { name: 'Page, record or command', hidden: true })
  return { ...page, box, type: (value: string) => act(async () => void fireEvent.change(box, { target: { value } })) }
}

it('shows no record of a former text, and opens none', async () => {
  const { box, type, path } = await opened()
  await type('ann@')
  await screen.findByRole('option', { name: /ann@example/ })
  await type('bob@')
  expect(screen.queryByRole('option', { name: /ann@example/ })).toBeNull()
  await act(async () => void fireEvent.keyDown(box, { key: 'Enter' }))
  // The record's page is loaded first.
  await waitFor(() => expect(path()).toBe('/user/u2'), { timeout: 10_000 })
})

it('opens nothing when the text is changed after Enter', async () => {
  const { box, type, path } = await opened()
  await type('ann@')
  await act(async () => void fireEvent.keyDown(box, { key: 'Enter' }))
  await type('bob@')
  await screen.findByRole('option', { name: /bob@example/ })
  await act(async () => {})
  expect(path()).toBe('/ess')
})

it('says of each hit what tells it apart', async () => {
  const { type } = await opened()
  await type('abcdef')
  const hit = await screen.findByRole('option', { name: /ESS-000012/ })
  expect(hit.textContent).toMatch(/ESS-000012 · PCB-ABCDEF/)
  const logged = screen.getByRole('option', { name: /Audit entry/ })
  expect(logged.textContent).toMatch(/2026.*PCB-ABCDEF · Edit configuration · Control PCB/)
  expect(logged.textContent).not.toContain('01a21c40')
  await type('ann@')
  expect((await screen.findByRole('option', { name: /ann@example/ })).textContent).toContain('Ann Lee')
})
