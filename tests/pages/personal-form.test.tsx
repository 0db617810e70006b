import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openConsole, type Server, userOf } from '#tests/shell/open-console.tsx'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'

// The drawn notice outlives its test by seconds; what it says is in the live region.
vi.mock('#ui/antd/notification.tsx', () => ({ showNotification: vi.fn(), hideNotification: vi.fn() }))
expectQuietConsole()
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

/** The choice of zones on the profile of a person with this one. */
async function zoneChoice(timezone: string) {
  const user = { ...userOf('admin'), timezone }
  const record = { ...user, version: 1 }
  await openConsole({
    role: 'admin',
    at: '/profile',
    server: (call) => (call === `GET user/${user.id}` ? { body: record } : undefined),
  })
  return await screen.findByRole<HTMLSelectElement>('combobox', { name: /^Time zone/ })
}

describe('the time zone of the profile', () => {
  it.each(['UTC', 'Europe/Kyiv', 'Asia/Calcutta', 'Europe/Moscow'])('is the stored one: %s', async (zone) => {
    const select = await zoneChoice(zone)
    expect(select.value).toBe(zone)
    expect(select.selectedOptions[0]?.textContent).toBe(zone)
    expect(within(select).getAllByRole('option', { name: zone })).toHaveLength(1)
  })

  it('can be UTC', async () => {
    const select = await zoneChoice('Europe/Moscow')
    expect(within(select).getByRole('option', { name: 'UTC' })).toBeTruthy()
  })
})

describe('the personal data', () => {
  const user = userOf('admin')
  const own = { ...user, phone: null, version: 1 }
  /** Opens the profile, whose writes are answered so, and types a first name. */
  async function typed(answer: Server) {
    const sent: unknown[] = []
    await openConsole({
      role: 'admin',
      at: '/profile',
      server(call, body) {
        if (call === `GET user/${user.id}`) return { body: own }
        if (call !== `PUT user/${user.id}`) return undefined
        sent.push(body)
        return answer(call, body)
      },
    })
    const input = await screen.findByRole<HTMLInputElement>('textbox', { name: /^First name/ })
    fireEvent.change(input, { target: { value: 'Augusta' } })
    const form = input.closest('form')
    if (!form) throw new Error('no form')
    fireEvent.submit(form)
    return { sent, input }
  }
  const stale =
    (current: object): Server =>
    (_call, body) =>
      Reflect.get(Object(body), 'version') === 1
        ? { status: 409, body: { statusCode: 409, code: 'stale-version', message: 'Changed meanwhile', current } }
        : { body: { ...current, version: 3 } }

  it('are saved beside what another tab has saved meanwhile', async () => {
    const { sent } = await typed(stale({ ...own, lastName: 'King', version: 2 }))
    await screen.findAllByText('Saved')
    expect(sent).toEqual([
      { firstName: 'Augusta', version: 1 },
      { firstName: 'Augusta', version: 2 },
    ])
  })

  it('are not saved over the same value of another tab, and what was typed stays', async () => {
    const { sent, input } = await typed(stale({ ...own, firstName: 'Anne', version: 2 }))
    await screen.findAllByText('Changed meanwhile')
    expect(sent).toHaveLength(1)
    expect(input.value).toBe('Augusta')
  })

  it('give the focus to the first value that is refused', async () => {
    const fields = { firstName: 'Too short' }
    const { input } = await typed(() => ({ status: 400, body: { statusCode: 400, message: ['no'], code: 'invalid', fields } }))
    await waitFor(() => expect(document.activeElement).toBe(input))
    expect(screen.getAllByText('Too short').length).toBeGreaterThan(0)
  })
})
