import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openConsole, userOf } from '#tests/shell/open-console.tsx'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'

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
