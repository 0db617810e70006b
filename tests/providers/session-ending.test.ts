import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { fakeBrowser, tokenObject } from './browser.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T10:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000)

describe('the end of a session', () => {
  it('logs out without a reason when the refusal has none to show', async () => {
    const { session } = fakeBrowser().openTab({ refresh: async () => new Response('<html>', { status: 403 }), focused: true })
    session.login(tokenObject('a', 10))
    await seconds(60)
    expect([session.getSnapshot().session, session.endReason]).toEqual([null, ''])
  })

  it('keeps the push id when the server ends the session, and lets the next one register it again', () => {
    const browser = fakeBrowser()
    const { session } = browser.openTab({ focused: true })
    session.login(tokenObject('a'))
    for (const key of [storageKeys.pushId, storageKeys.device]) browser.entries.set(key, 'push')
    session.logout('a')
    expect(session.getSnapshot().session).toBeNull()
    expect(browser.entries.get(storageKeys.pushId)).toBe('push')
    expect(browser.entries.get(storageKeys.device)).toBeUndefined()
    session.login(tokenObject('b'))
    session.logout()
    expect(JSON.stringify([...browser.entries])).not.toContain('push"')
  })

  it('forgets the copy of the last list on sign-out and on a change of user or role, not on a new token', () => {
    const browser = fakeBrowser()
    const { session } = browser.openTab({ focused: true })
    const { user } = tokenObject('a')
    const isKeptAfter = (change: () => void) => {
      browser.entries.set(storageKeys.lastPage, 'copy')
      change()
      return browser.entries.has(storageKeys.lastPage)
    }
    expect(isKeptAfter(() => session.login(tokenObject('a')))).toBe(false)
    expect(isKeptAfter(() => session.login(tokenObject('b')))).toBe(true)
    expect(isKeptAfter(() => session.login({ ...tokenObject('c'), user: { ...user, role: 'client' } }))).toBe(false)
    expect(isKeptAfter(() => session.login({ ...tokenObject('d'), user: { ...user, email: 'other@test.example' } }))).toBe(
      false,
    )
    expect(isKeptAfter(() => session.logout())).toBe(false)
  })

  it('tells every open tab why the server ended it, not one opened later, and nothing of a sign-out', async () => {
    const browser = fakeBrowser()
    const front = browser.openTab({ focused: true })
    front.session.login(tokenObject('a'))
    const back = browser.openTab()
    expect(front.session.endReason).toBeUndefined()
    front.session.logout('a', { message: 'You were locked', code: 'session-ended.idle' })
    await seconds(1)
    expect([front.session.endReason, back.session.endReason]).toEqual(['You were locked', 'You were locked'])
    expect([front.session.formerUser, back.session.formerUser]).toEqual([tokenObject('a').user, tokenObject('a').user])
    expect(browser.openTab().session.endReason).toBeUndefined()
    front.session.login(tokenObject('b'))
    await seconds(1)
    expect(front.session.endReason).toBeUndefined()
    front.session.logout()
    expect([front.session.endReason, front.session.formerUser]).toEqual([undefined, undefined])
    for (const code of ['session-ended.by-user', 'session-ended.email', 'session-ended.locked']) {
      front.session.login(tokenObject('c'))
      front.session.logout('c', { message: 'Ended', code })
      expect([front.session.endReason, front.session.formerUser], code).toEqual(['Ended', undefined])
    }
  })
})
