import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeBrowser, renewingServer, tokenObject } from './browser.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T10:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)

const kinds = [
  { hasMessages: true, hasStorageEvents: true, hasLocks: true },
  { hasMessages: false, hasStorageEvents: true, hasLocks: true },
  { hasMessages: true, hasStorageEvents: false, hasLocks: false },
  { hasMessages: false, hasStorageEvents: true, hasLocks: false },
]

describe.each(kinds)('two tabs (messages $hasMessages, locks $hasLocks)', (kind) => {
  it('share a login by one reload of the tab in the background', async () => {
    const browser = fakeBrowser(kind)
    const front = browser.openTab({ focused: true })
    const back = browser.openTab()
    front.session.login(tokenObject('a'))
    await seconds(1)
    expect([front.state.reloads, back.state.reloads]).toEqual([0, 1])
    expect(browser.openTab().session.getSnapshot().session?.accessToken).toBe('a')
  })

  it('share what the person changed about himself, in place', async () => {
    const browser = fakeBrowser(kind)
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    const back = browser.openTab()
    front.session.amend({ timezone: 'Asia/Tokyo', firstName: 'Grace' })
    await seconds(1)
    expect(back.session.getSnapshot().session?.user).toMatchObject({ timezone: 'Asia/Tokyo', firstName: 'Grace' })
    expect(back.state.reloads).toBe(0)
  })

  it('share a logout in place', async () => {
    const browser = fakeBrowser(kind)
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    const back = browser.openTab()
    const heard = vi.fn()
    back.session.onIdentityChange(heard)
    front.session.logout()
    await seconds(1)
    expect(back.session.getSnapshot().session).toBeNull()
    expect(back.state.reloads).toBe(0)
    expect(heard.mock.calls).toEqual([[null]])
  })

  it('renew a token once between them, in silence', async () => {
    const { calls, refresh } = renewingServer(6)
    const browser = fakeBrowser(kind)
    const tabs = [browser.openTab({ refresh, focused: true })]
    tabs[0]?.session.login(tokenObject('a', 6))
    for (let more = 0; more < 3; more += 1) tabs.push(browser.openTab({ refresh }))
    const heard = vi.fn()
    for (const { session } of tabs) session.onIdentityChange(heard)
    await seconds(20)
    expect(calls.length).toBeGreaterThanOrEqual(4)
    expect(new Set(calls).size).toBe(calls.length)
    expect(tabs.map(({ state }) => state.reloads)).toEqual([0, 0, 0, 0])
    expect(heard).not.toHaveBeenCalled()
    expect(new Set(tabs.map(({ session }) => session.getSnapshot().session?.accessToken)).size).toBe(1)
    expect(tabs.some(({ session }) => session.getSnapshot().expired)).toBe(false)
  })
})

describe('several tabs', () => {
  it('go on when the one that was renewing is closed', async () => {
    const { calls, refresh } = renewingServer()
    const browser = fakeBrowser({ hasLocks: false })
    const closing = browser.openTab({ refresh: () => new Promise(() => undefined), focused: true })
    closing.session.login(tokenObject('a', 10))
    await seconds(7.2)
    closing.close()
    const other = browser.openTab({ refresh })
    await seconds(25)
    expect(calls).toEqual(['a'])
    expect(other.session.getSnapshot()).toMatchObject({ session: { accessToken: 'a+' }, expired: false })
  })

  it('reload a background tab once when another person signs in, and not again after that reload', async () => {
    const browser = fakeBrowser()
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    const back = browser.openTab()
    front.session.login(tokenObject('b', 60, { email: 'other@example.com' }))
    await seconds(1)
    expect(back.state.reloads).toBe(1)
    const reloaded = browser.openTab()
    await seconds(5)
    expect(reloaded.state.reloads).toBe(0)
  })

  it('treat another role as another identity', async () => {
    const browser = fakeBrowser()
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    const back = browser.openTab()
    front.session.login(tokenObject('b', 60, { role: 'client' }))
    await seconds(1)
    expect(back.state.reloads).toBe(1)
  })

  it('adopt a new identity in place when focused, and say so before the screens hear', async () => {
    const browser = fakeBrowser()
    const first = browser.openTab({ focused: true })
    const second = browser.openTab({ focused: true })
    const order: string[] = []
    second.session.onIdentityChange((session) => order.push(`identity ${session?.user.email}`))
    second.session.subscribe(() => order.push('screens'))
    first.session.login(tokenObject('a'))
    await seconds(1)
    expect(order).toEqual(['identity admin@example.com', 'screens'])
    expect(second.state.reloads).toBe(0)
  })

  it('log out everywhere when the stored record is cleared from outside', async () => {
    const browser = fakeBrowser()
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    const back = browser.openTab()
    browser.clear()
    await seconds(1)
    expect(front.session.getSnapshot().session).toBeNull()
    expect(back.session.getSnapshot().session).toBeNull()
  })

  it('do not take a late message of an older record', async () => {
    const browser = fakeBrowser()
    const first = browser.openTab({ focused: true })
    const second = browser.openTab({ focused: true })
    first.session.login(tokenObject('a'))
    await seconds(1)
    second.session.logout()
    second.session.login(tokenObject('b'))
    await seconds(1)
    expect(first.session.getSnapshot().session?.accessToken).toBe('b')
  })
})

describe('a tab with unsaved input', () => {
  it('keeps it without a word when the same person signs in again elsewhere', async () => {
    const browser = fakeBrowser()
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    const form = browser.openTab({ isDirty: () => true })
    front.session.login(tokenObject('b'))
    await seconds(1)
    expect(form.state.reloads).toBe(0)
    expect(form.session.getSnapshot()).toMatchObject({ conflict: false, session: { accessToken: 'b' } })
  })

  const setUp = () => {
    const browser = fakeBrowser()
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    let dirty = true
    const back = browser.openTab({ isDirty: () => dirty })
    const heard = vi.fn()
    back.session.onIdentityChange(heard)
    return { browser, front, back, heard, clean: () => (dirty = false) }
  }

  it('stays with its owner, in conflict, when another person signs in', async () => {
    const { front, back, heard } = setUp()
    front.session.login(tokenObject('b', 60, { email: 'other@example.com' }))
    await seconds(1)
    expect(back.session.getSnapshot()).toMatchObject({ conflict: true, session: { user: { email: 'admin@example.com' } } })
    expect(back.state.reloads).toBe(0)
    expect(heard).not.toHaveBeenCalled()
    back.session.reload()
    expect(back.state.reloads).toBe(1)
  })

  it('is out of the conflict when its owner comes back', async () => {
    const { front, back } = setUp()
    front.session.login(tokenObject('b', 60, { email: 'other@example.com' }))
    await seconds(1)
    front.session.login(tokenObject('c'))
    await seconds(1)
    expect(back.session.getSnapshot()).toMatchObject({ conflict: false, session: { accessToken: 'c' } })
    expect(back.state.reloads).toBe(0)
  })

  it('reloads with the next change once the input is gone', async () => {
    const { front, back, clean } = setUp()
    front.session.login(tokenObject('b', 60, { email: 'other@example.com' }))
    await seconds(1)
    clean()
    front.session.login(tokenObject('c', 60, { email: 'other@example.com' }))
    await seconds(1)
    expect(back.state.reloads).toBe(1)
  })

  it('is logged out in place, and in conflict only with a stranger', async () => {
    const { front, back } = setUp()
    front.session.logout()
    await seconds(1)
    expect(back.session.getSnapshot()).toEqual({ session: null, expired: false, conflict: false })
    front.session.login(tokenObject('b', 60, { email: 'other@example.com' }))
    await seconds(1)
    expect(back.session.getSnapshot().conflict).toBe(true)
  })
})
