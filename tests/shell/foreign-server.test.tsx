import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ResourcePermissions } from '#schema/permissions.ts'
import type { Role } from '#schema/roles.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { openConsole, type Server, userOf } from './open-console.tsx'

beforeEach(expectQuietConsole)
afterEach(cleanup)

const verbs = { list: true, show: true, create: true, edit: true, delete: true }
type Given = Record<string, Partial<ResourcePermissions>>

/** A server of another make: some lists, and neither a summary nor counts. */
const foreign =
  (role: Role, permissions: Given): Server =>
  (call) => {
    if (call === 'GET auth/me') return { body: { user: userOf(role), permissions } }
    const isKnown = Object.keys(permissions).some((name) => call.startsWith(`GET ${name}`))
    return isKnown ? undefined : { status: 404, body: { statusCode: 404, code: 'not-found', message: `There is no ${call}` } }
  }

const menu = async () => (await screen.findAllByRole('link', { current: false })).map((link) => link.textContent)

it('offers the pages whose content it has, and counts its lists where it has no summary', async () => {
  const { calls } = await openConsole({ role: 'admin', server: foreign('admin', { ess: verbs }) })
  await screen.findByText('0 records')
  expect(screen.queryByText('Something went wrong')).toBeNull()
  expect(await menu()).not.toContain('Inbox')
  expect(calls.filter((call) => call.startsWith('GET dashboard/summary'))).toHaveLength(1)
  cleanup()
  await openConsole({ role: 'admin', at: '/filling', server: foreign('admin', { ess: verbs }) })
  await screen.findByRole('heading', { name: /403/ })
})

it('offers the import of what it lets in, and of nothing else', async () => {
  const permissions = { 'control-pcb': { ...verbs, import: true }, ess: { ...verbs, import: false } }
  await openConsole({ role: 'admin', at: '/filling', server: foreign('admin', permissions) })
  const target = await screen.findByRole<HTMLSelectElement>('combobox', { name: /^What it holds/ })
  expect([...target.options].map(({ value }) => value).filter(Boolean)).toEqual(['control-pcb', 'pairing'])
  expect(screen.queryByRole('link', { name: 'Outbox' })).toBeNull()
})

it('leads nobody to a start page that it does not have', async () => {
  const server = foreign('service_engineer', { ess: verbs })
  const { path } = await openConsole({ role: 'service_engineer', at: '/inbox', server })
  await waitFor(() => expect(path()).toBe('/'))
})

it('may leave out the lists of a permission', async () => {
  await openConsole({ role: 'admin', at: '/ess', server: foreign('admin', { ess: { list: true, show: true } }) })
  await screen.findByRole('heading', { name: 'ESS' })
  expect(screen.queryByRole('link', { name: 'Create' })).toBeNull()
})
