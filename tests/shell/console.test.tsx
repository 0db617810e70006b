import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import { permissionsIn } from '#schema/permissions.ts'
import type { Role } from '#schema/roles.ts'
import { tokenObject } from '#tests/providers/browser.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { openConsole, userOf } from './open-console.tsx'

expectQuietConsole()
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const isElsewhere = (address: string | null) => /^(\w+:)?\/\//.test(address ?? '')

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name })
const menu = async () => {
  const nav = await screen.findByRole('navigation', { name: 'Main menu' })
  return within(nav)
    .getAllByRole('link')
    .map((link) => link.textContent)
}

/** The counts of the menu are asked for on every page, once the browser is idle. */
const ofThePage = (calls: readonly string[]) => calls.filter((call) => call !== 'GET menu/counts?')

describe('the menu', () => {
  const staff = ['Clients', 'ESS', 'Control PCB', 'Package control', 'Firmware']
  it.each<[Role, string[]]>([
    ['admin', ['Dashboard', 'Users', ...staff]],
    ['moderator', ['Dashboard', 'Users', ...staff]],
    ['service_engineer', ['Dashboard', ...staff]],
    ['installer', ['Dashboard']],
    ['client', ['Dashboard']],
  ])('of a %s has, of the sections of the specification, %j', async (role, entries) => {
    await openConsole({ role })
    const sections = (await menu()).filter((label) => ['Dashboard', 'Users', ...staff].includes(String(label)))
    expect(sections).toEqual(entries)
  })
})

describe('an address', () => {
  it.each(['/user', '/user/create', '/user/7', '/user/7/ess', '/user/7/edit'])(
    'that the role may not open shows 403 and asks the server for nothing: %s',
    async (at) => {
      const { calls } = await openConsole({ role: 'service_engineer', at })
      await heading(/403/)
      expect(ofThePage(calls)).toEqual(['GET auth/me'])
    },
  )

  it.each([
    ['/login/', '/'],
    ['/login/?to=%2Fess', '/ess'],
    ['/about/', '/about'],
    ['/ess//', '/ess'],
  ])('with a trailing slash is the one without it: %s', async (at, expected) => {
    const { path } = await openConsole({ role: 'admin', at })
    await waitFor(() => expect(path()).toBe(expected))
  })

  it.each(['/ess/7', '/ess/7/edit', '/ess/create'])('below a list that is blocked shows 403: %s', async (at) => {
    const all = permissionsFor(definitionsOf(resources), 'admin')
    const permissions = { ...all, ess: { ...permissionsIn(all, 'ess'), list: false } }
    const server = (call: string) => (call === 'GET auth/me' ? { body: { user: userOf('admin'), permissions } } : undefined)
    const { calls } = await openConsole({ role: 'admin', at, server })
    await heading(/403/)
    expect(await menu()).not.toContain('ESS')
    expect(ofThePage(calls)).toEqual(['GET auth/me'])
  })

  it.each(['/nowhere', '/ess/1/2/3', '/guest'])('without a page shows 404: %s', async (at) => {
    await openConsole({ role: 'admin', at })
    await heading(/404/)
  })

  it('slips nothing into the calls', async () => {
    const { calls } = await openConsole({
      role: 'admin',
      at: '/ess?method=delete&headers[x]=1&from=ess/1/guest&url=/evil',
    })
    await heading('ESS')
    await screen.findByText('No systems yet')
    expect([...new Set(ofThePage(calls))]).toEqual(['GET auth/me', 'GET ess?_start=0&_end=25&_sort=attention&_order=asc'])
  })

  it('asks for a session and is remembered until there is one', async () => {
    const user = userOf('admin')
    const { path, becomes } = await openConsole({
      at: '/ess?q=a',
      server: (call) => (call === 'POST auth/login' ? { body: tokenObject('token', 600, user) } : undefined),
    })
    await heading('Sign in')
    expect(path()).toBe('/login?to=%2Fess%3Fq%3Da')
    becomes('admin')
    fireEvent.change(screen.getByLabelText('E-mail'), { target: { value: user.email } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-secret' } })
    fireEvent.click(screen.getByRole('button', { name: 'Sign in' }))
    await heading('ESS')
    expect(path()).toBe('/ess?q=a')
  })

  it('of the sign-in page leads on when there is a session, never to another site', async () => {
    const { path } = await openConsole({ role: 'admin', at: '/login?to=//evil.example' })
    await heading('Dashboard')
    expect(path()).toBe('/')
  })
})

describe('a session', () => {
  it('ends with the sign-out, and the next one sees nothing of it', async () => {
    const { session, path, becomes, calls } = await openConsole({ role: 'admin', at: '/user' })
    await heading('Users')
    fireEvent.click(screen.getByRole('button', { name: /^Account of/ }))
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Sign out' }))
    await heading('Sign in')
    expect([path(), calls.findLast((call) => call !== 'GET auth/methods')]).toEqual(['/login', 'POST auth/logout'])
    becomes('client')
    session.login(tokenObject('other', 600, userOf('client')))
    await heading('Dashboard')
    expect(await menu()).toEqual(['Dashboard'])
  })

  it('that ends elsewhere leads to the sign-in page and back', async () => {
    const { session, path } = await openConsole({ role: 'admin', at: '/ess?page=2' })
    await heading('ESS')
    session.logout()
    await heading('Sign in')
    expect(path()).toBe('/login?to=%2Fess%3Fpage%3D2')
  })

  it('whose token is dead covers the page and leaves it standing', async () => {
    await openConsole({ role: 'client', lifeS: 4 })
    await heading('Dashboard')
    const overlay = await screen.findByRole('alertdialog', { name: 'Updating token' })
    expect(overlay).toBeTruthy()
    expect(screen.getByText('Dashboard', { selector: 'h1' }).closest('[inert]')).toBeTruthy()
  })

  it('of another person keeps a page with unsaved input and says so', async () => {
    const { otherTab, calls } = await openConsole({ role: 'admin', at: '/user', isDirty: () => true })
    await heading('Users')
    otherTab.login(tokenObject('other', 600, userOf('client')))
    await screen.findByText('Someone else has signed in in another tab')
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
    expect(await menu()).toContain('Users')
    expect(calls.filter((call) => call === 'GET auth/me')).toHaveLength(1)
  })
})

describe('the language', () => {
  it('is switched in place, everywhere, and kept in the profile', async () => {
    const sent: unknown[] = []
    await openConsole({
      role: 'admin',
      at: '/ess',
      server: (call, body) => {
        if (call === 'GET user/admin-id') return { body: { id: 'admin-id', version: 3, language: 'en' } }
        if (call === 'PUT user/admin-id') sent.push(body)
        return undefined
      },
    })
    await heading('ESS')
    fireEvent.click(screen.getByRole('button', { name: 'Language EN' }))
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'Русский' }))
    await heading('СНЭ')
    expect(document.documentElement.lang).toBe('ru')
    await waitFor(() => expect(document.title).toBe('СНЭ · Консоль СНЭ'))
    expect(screen.getByRole('link', { name: 'Платы управления' })).toBeTruthy()
    await waitFor(() => expect(sent).toEqual([{ language: 'ru', version: 3 }]))
  })
})

describe('a page', () => {
  it('names the document after its heading, its section and the console', async () => {
    await openConsole({ role: 'admin', at: '/profile' })
    await heading('Profile')
    await waitFor(() => expect(document.title).toBe('Profile · ESS console'))
  })

  it('takes the focus to its heading when it is opened, not when the console starts', async () => {
    await openConsole({ role: 'admin' })
    const dashboard = await heading('Dashboard')
    expect(document.activeElement).not.toBe(dashboard)
    fireEvent.click(screen.getByRole('link', { name: 'Control PCB' }))
    const list = await heading('Control PCB')
    await waitFor(() => expect(document.activeElement).toBe(list))
  })

  it('tells nobody but its own server', async () => {
    const outside = vi.fn()
    for (const door of ['Image', 'XMLHttpRequest', 'WebSocket', 'EventSource']) vi.stubGlobal(door, outside)
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { sendBeacon: outside }))
    const { calls } = await openConsole({ role: 'admin' })
    await heading('Dashboard')
    expect(outside).not.toHaveBeenCalled()
    expect(calls).toContain('GET auth/me')
    expect(calls.filter((call) => call.includes('//'))).toEqual([])
    const loaded = [...document.querySelectorAll<HTMLElement>('[src], link[href]')]
    expect(loaded.map((element) => element.getAttribute('src') ?? element.getAttribute('href')).filter(isElsewhere)).toEqual([])
  })

  it('whose server fails keeps the frame and offers to try again', async () => {
    await openConsole({
      role: 'admin',
      at: '/profile',
      server: (call) =>
        call.startsWith('GET user/') ? { status: 404, body: { message: 'There is no such record' } } : undefined,
    })
    await heading('Something went wrong')
    expect(screen.getByText('There is no such record', { selector: '.ui-state-text' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Refresh the page' })).toBeTruthy()
    expect(await menu()).toContain('ESS')
  })
})
