import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { openConsole, userOf } from './open-console.tsx'

expectQuietConsole()
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const asking = /allow receive notifications/
const settings = ['Notifications', 'Devices for notifications']

async function profileOf(role: Role) {
  const user = userOf(role)
  const own = { ...user, phone: null, version: 1 }
  await openConsole({
    role,
    at: '/profile',
    server: (call) => (call === `GET user/${user.id}` ? { body: own } : undefined),
  })
  await screen.findByRole('textbox', { name: /^First name/ })
}
const offered = () => settings.filter((name) => screen.queryByRole('heading', { name }) !== null)

describe('notifications', () => {
  it.each(['admin', 'service_engineer', 'client'] as const)('are offered to a %s', async (role) => {
    await profileOf(role)
    expect(screen.queryByText(asking)).not.toBeNull()
    expect(offered()).toEqual(settings)
  })

  it('are not offered to an installer, to whom none would come', async () => {
    await profileOf('installer')
    expect(screen.queryByText(asking)).toBeNull()
    expect(offered()).toEqual([])
  })
})
