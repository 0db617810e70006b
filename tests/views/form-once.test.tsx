import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { input, oneBoat, save, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const refused = (facts: object) => Promise.reject(Object.assign(new Error('Refused'), facts))
const lost = () => refused({ statusCode: 0 })

/** The form of a new boat; `answer` fails its call. */
function openForm(answer?: () => unknown) {
  const keys: unknown[] = []
  const screens = renderScreens({
    at: '/boats/create',
    tables: oneBoat(),
    before: ({ method, details }) => {
      if (method !== 'create') return undefined
      keys.push(details.onceKey)
      return answer?.()
    },
  })
  return { ...screens, keys }
}
async function typeBoat() {
  await type(/^Code/, 'B007')
  await type(/^Name/, 'Swan')
  save('Create')
  await screen.findByText('Refused')
}
const restore = async () => fireEvent.click(await screen.findByRole('button', { name: 'Restore' }))
/** The tab reloads: nobody is asked. */
const reload = (screens: { go: (to: string) => void }) => {
  screens.go('/login')
  cleanup()
}

it('a new record whose answer was lost is sent under the same key after a reload, so that there is one', async () => {
  const first = openForm(lost)
  await typeBoat()
  reload(first)
  const second = openForm()
  await restore()
  save('Create')
  await waitFor(() => expect(second.keys).toEqual(first.keys))
  expect(first.keys).toEqual([expect.stringMatching(/^[\d-]+$/)])
})

it('a new record that was refused is sent under another key', async () => {
  const { keys } = openForm(() => refused({ statusCode: 400 }))
  await typeBoat()
  await type(/^Name/, 'Tern')
  save('Create')
  await waitFor(() => expect(new Set(keys).size).toBe(2))
})

it('a new record changed after a lost answer opens the stored one, and offers what was changed', async () => {
  const stored = { ...oneBoat().boat?.[0], code: 'B007', name: 'Swan' }
  const { address, notify } = openForm(() => refused({ statusCode: 422, current: stored }))
  await type(/^Code/, 'B007')
  await type(/^Name/, 'Tern')
  save('Create')
  await waitFor(() => expect(address()).toBe('/boats/b1/edit'))
  expect(notify).toHaveBeenCalledWith(expect.objectContaining({ message: expect.stringContaining('had created B007') }))
  await restore()
  expect(((await input(/^Name/)) as HTMLInputElement).value).toBe('Tern')
})
