import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { type RefreshCall, refreshLeadMs } from '#providers/session/token-refresher.ts'
import { fakeBrowser, jsonAnswer, renewingServer, tokenObject } from './browser.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T10:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)

describe('one tab', () => {
  it('starts logged out and keeps a login over a reload', () => {
    const browser = fakeBrowser()
    const { session } = browser.openTab({ focused: true })
    expect(session.getSnapshot()).toEqual({ session: null, expired: false, conflict: false })
    session.login(tokenObject('a'))
    expect(browser.openTab().session.getSnapshot().session?.user.email).toBe('admin@example.com')
  })

  it('renews the token 3 s before it expires, and once', async () => {
    const { calls, refresh } = renewingServer()
    const { session } = fakeBrowser().openTab({ refresh, focused: true })
    session.login(tokenObject('a', 60))
    await seconds(56.9)
    expect(calls).toEqual([])
    await seconds(0.3)
    expect(calls).toEqual(['a'])
    expect(session.getSnapshot()).toMatchObject({ session: { accessToken: 'a+' }, expired: false })
    expect(refreshLeadMs).toBe(3_000)
    await seconds(40)
    expect(calls).toEqual(['a'])
  })

  it('does not fire early for a life that no timer can count', async () => {
    const { calls, refresh } = renewingServer()
    const { session } = fakeBrowser().openTab({ refresh, focused: true })
    session.login(tokenObject('a', 60 * 86_400))
    await seconds(3_600)
    expect(calls).toEqual([])
  })

  it('is expired while no new token comes, tries again after 1, 2, 4 … 30 s, and at once when back online', async () => {
    const times: number[] = []
    const refresh: RefreshCall = () => {
      times.push(Date.now())
      return Promise.reject(new TypeError('Failed to fetch'))
    }
    const tab = fakeBrowser().openTab({ refresh, focused: true })
    tab.session.login(tokenObject('a', 10))
    await seconds(9.9)
    expect(tab.session.getSnapshot().expired).toBe(false)
    await seconds(0.2)
    expect(tab.session.getSnapshot().expired).toBe(true)
    await seconds(300)
    const pauses = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1_000)
    pauses.slice(0, 5).forEach((pause, index) => {
      expect(pause).toBeGreaterThanOrEqual(0.75 * 2 ** index)
      expect(pause).toBeLessThanOrEqual(1.25 * 2 ** index + 0.3)
    })
    expect(Math.max(...pauses)).toBeLessThanOrEqual(30 * 1.25 + 0.3)
    expect(tab.session.getSnapshot().session).not.toBeNull()
    const tried = times.length
    tab.wake('online')
    await seconds(0.1)
    expect(times.length).toBe(tried + 1)
  })

  it.each([408, 425, 429, 500, 503])('keeps the session when the refresh is answered with %i', async (status) => {
    const { session } = fakeBrowser().openTab({ refresh: async () => jsonAnswer({}, status), focused: true })
    session.login(tokenObject('a', 10))
    await seconds(60)
    expect(session.getSnapshot().session).not.toBeNull()
  })

  it("keeps the session when a proxy's page comes instead of a token", async () => {
    const { session } = fakeBrowser().openTab({ refresh: async () => new Response('<html>'), focused: true })
    session.login(tokenObject('a', 10))
    await seconds(30)
    expect(session.getSnapshot().session?.accessToken).toBe('a')
  })

  it.each([400, 401, 403, 404])('logs out when the refresh is refused with %i, and keeps the reason', async (status) => {
    const refresh = async () => jsonAnswer({ message: 'You were locked' }, status)
    const { session } = fakeBrowser().openTab({ refresh, focused: true })
    session.login(tokenObject('a', 10))
    await seconds(60)
    expect(session.getSnapshot()).toEqual({ session: null, expired: false, conflict: false })
    expect(session.endReason).toBe('You were locked')
  })

  it('gives up a refresh that hangs, and tries again', async () => {
    let calls = 0
    const refresh: RefreshCall = (_token, signal) => {
      calls += 1
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const { session } = fakeBrowser().openTab({ refresh, focused: true })
    session.login(tokenObject('a', 10))
    await seconds(30)
    expect(calls).toBe(2)
  })

  it('does not come back when the logout overtakes the refresh', async () => {
    const { refresh } = renewingServer()
    const { session } = fakeBrowser().openTab({ refresh, focused: true })
    session.login(tokenObject('a', 10))
    await seconds(7.05)
    session.logout()
    await seconds(5)
    expect(session.getSnapshot().session).toBeNull()
  })

  it('does not hammer a server whose tokens are shorter than the lead', async () => {
    const { calls, refresh } = renewingServer(2)
    const { session } = fakeBrowser().openTab({ refresh, focused: true })
    session.login(tokenObject('a', 2))
    await seconds(20)
    expect(calls.length).toBeLessThanOrEqual(5)
  })

  it('waits with the token while it is expired', async () => {
    const { refresh } = renewingServer()
    const browser = fakeBrowser()
    browser.entries.set(storageKeys.session, JSON.stringify({ session: tokenObject('a', -100), rev: 1, skewMs: 0 }))
    const { session } = browser.openTab({ refresh, focused: true })
    expect(session.getSnapshot().expired).toBe(true)
    const live = session.liveToken()
    await seconds(1)
    expect(await live).toBe('a+')
    expect(session.getSnapshot().expired).toBe(false)
  })

  it('stops waiting when the caller gives up, and when the session ends', async () => {
    const refresh: RefreshCall = () => Promise.reject(new TypeError('Failed to fetch'))
    const { session } = fakeBrowser().openTab({ refresh, focused: true })
    session.login(tokenObject('a', -1))
    const limit = new AbortController()
    const given = expect(session.liveToken(limit.signal)).rejects.toThrow('enough')
    limit.abort(new Error('enough'))
    await given
    const live = session.liveToken()
    session.logout()
    expect(await live).toBeUndefined()
  })

  it('repairs itself when the page wakes and no timer has fired', async () => {
    const { calls, refresh } = renewingServer()
    const tab = fakeBrowser().openTab({ refresh, focused: true })
    tab.session.login(tokenObject('a', 600))
    vi.setSystemTime(Date.now() + 3_600_000)
    tab.wake()
    await seconds(1)
    expect(calls).toEqual(['a'])
    expect(tab.session.getSnapshot()).toMatchObject({ session: { accessToken: 'a+' }, expired: false })
  })

  it('removes the token and every copy of the push id on logout, and ignores a logout of an older token', () => {
    const browser = fakeBrowser()
    const { session } = browser.openTab({ focused: true })
    session.login(tokenObject('a'))
    for (const key of [storageKeys.pushId, storageKeys.device]) browser.entries.set(key, 'push')
    session.logout('older')
    expect(session.getSnapshot().session).not.toBeNull()
    session.logout()
    expect(session.getSnapshot().session).toBeNull()
    expect(JSON.stringify([...browser.entries])).not.toMatch(/"a\b|push"|accessToken/)
    expect(session.endReason).toBeUndefined()
  })

  it('reads garbage in the storage as logged out', () => {
    for (const junk of ['{', 'null', '{"rev":"x"}', '{"rev":1,"session":{"accessToken":"a"}}', '[]']) {
      const browser = fakeBrowser()
      browser.entries.set(storageKeys.session, junk)
      expect(browser.openTab().session.getSnapshot().session).toBeNull()
    }
  })

  it('gives the same snapshot until something changes', () => {
    const { session } = fakeBrowser().openTab({ focused: true })
    const before = session.getSnapshot()
    session.noteDate(new Date(Date.now() + 600_000).toUTCString())
    expect(session.getSnapshot()).toBe(before)
  })
})

describe('the clock', () => {
  it.each([-600, 600])('of a client that is %i s off neither expires nor renews early or late', async (offS) => {
    const { calls, refresh } = renewingServer()
    const { session } = fakeBrowser().openTab({ refresh, focused: true })
    const serverNow = () => Date.now() - offS * 1_000
    session.noteDate(new Date(serverNow()).toUTCString())
    session.login({ ...tokenObject('a'), accessTokenExpired: serverNow() / 1_000 + 60 })
    expect(session.getSnapshot().expired).toBe(false)
    await seconds(55)
    expect(calls).toEqual([])
    await seconds(4)
    expect(calls).toEqual(['a'])
  })

  it('is not moved by the rounding of the header, nor by a header that is none', () => {
    const { session } = fakeBrowser().openTab({ focused: true })
    session.login(tokenObject('a', 1))
    session.noteDate(new Date(Date.now() - 1_900).toUTCString())
    session.noteDate('yesterday')
    session.noteDate(undefined)
    expect(session.getSnapshot().expired).toBe(false)
  })

  it('is handed to the other tabs with the token', async () => {
    const browser = fakeBrowser()
    const first = browser.openTab({ focused: true })
    first.session.noteDate(new Date(Date.now() - 600_000).toUTCString())
    first.session.login(tokenObject('a', -500))
    expect(browser.openTab().session.getSnapshot().expired).toBe(false)
  })
})
