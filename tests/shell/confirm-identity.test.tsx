import { act, cleanup, configure, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { confirmIdentity } from '#console/confirm-identity.tsx'

configure({ asyncUtilTimeout: 20_000 })
afterEach(cleanup)

const words = { words: (key: string) => key, language: () => 'en' as const, subscribe: () => () => undefined }
const http = { get: async () => ({ data: {} }), post: async () => ({ data: {} }), put: async () => undefined }

function openSession() {
  const listeners = new Set<() => void>()
  const onIdentityChange = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { session: { onIdentityChange }, listeners, change: () => act(async () => listeners.forEach((tell) => void tell())) }
}

it('the question for a confirmation ends without one when its session ends', async () => {
  const { session, listeners, change } = openSession()
  const answer = confirmIdentity(words, http, session)
  await screen.findByRole('dialog')
  await change()
  expect(await answer).toBe(false)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(listeners.size).toBe(0)
})

it('the question for a confirmation no longer watches the session once it is answered', async () => {
  const { session, listeners } = openSession()
  const answer = confirmIdentity(words, http, session)
  fireEvent.change(await screen.findByLabelText('Password'), { target: { value: 'secret' } })
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  expect(await answer).toBe(true)
  expect(listeners.size).toBe(0)
})
