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

const people = [
  { ...userOf('client'), id: 'u1', email: 'ann@example.com' },
  { ...userOf('client'), id: 'u2', email: 'bob@example.com' },
]

/** The palette of a console that finds people by their address. */
async function opened() {
  const page = await openConsole({
    role: 'admin',
    at: '/ess',
    server: (call) => {
      const [path, query] = call.split('?')
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
