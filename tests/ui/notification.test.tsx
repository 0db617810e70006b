import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const drawn = vi.hoisted(() => ({ showNotification: vi.fn(), hideNotification: vi.fn() }))

beforeEach(() => {
  vi.resetModules()
  vi.clearAllMocks()
})

afterEach(() => {
  cleanup()
  vi.doUnmock('#ui/antd/notification.tsx')
  document.body.replaceChildren()
})

const load = async (module: () => typeof drawn = () => drawn) => {
  vi.doMock('#ui/antd/notification.tsx', module)
  return import('#ui/feedback/notification.ts')
}

it('says it to screen readers at once, an error without waiting its turn', async () => {
  const { openNotification } = await load()
  openNotification({ kind: 'success', title: 'Saved' })
  openNotification({ kind: 'error', title: 'Oops! Error', text: 'The code is in use' })
  expect(document.querySelector('[aria-live="polite"]')?.textContent).toBe('Saved')
  expect(document.querySelector('[aria-live="assertive"]')?.textContent).toBe('Oops! Error. The code is in use')
})

it('is drawn when its part has arrived, errors for longer', async () => {
  const { openNotification } = await load()
  openNotification({ kind: 'success', title: 'Saved', key: 'a' })
  openNotification({ kind: 'error', title: 'Oops! Error', key: 'b' })
  expect(drawn.showNotification).not.toHaveBeenCalled()
  await waitFor(() => expect(drawn.showNotification).toHaveBeenCalledTimes(2))
  expect(drawn.showNotification.mock.calls.map(([note]) => [note.key, note.durationS])).toEqual([
    ['a', 4.5],
    ['b', 8],
  ])
})

it('never shows what was closed before its part arrived', async () => {
  const { openNotification, closeNotification } = await load()
  closeNotification(openNotification({ kind: 'info', title: 'Update started' }))
  openNotification({ kind: 'info', title: 'Later' })
  await waitFor(() => expect(drawn.showNotification).toHaveBeenCalledOnce())
  expect(drawn.showNotification.mock.calls[0]?.[0].title).toBe('Later')
})

describe('when its part cannot be had', () => {
  it('still shows the words, until they are pressed', async () => {
    const { openNotification } = await load(() => {
      throw new Error('offline')
    })
    openNotification({ kind: 'error', title: 'You are offline', text: 'Try again' })
    const box = await waitFor(() => screen.getByText('You are offline', { selector: 'strong' }))
    fireEvent.click(box)
    expect(screen.queryByText('You are offline', { selector: 'strong' })).toBeNull()
  })
})
