// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TabTalk } from '#providers/live/tab-talk.ts'
import { createBrowserSession, refreshByFetch } from '#providers/session/browser-session.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { jsonAnswer, tokenObject } from './browser.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  localStorage.clear()
})

describe('the session of a real page', () => {
  it('keeps its record in the local storage under one key', () => {
    const session = createBrowserSession({})
    const stop = session.start()
    session.login(tokenObject('a'))
    expect(Object.keys(localStorage)).toEqual([storageKeys.session])
    expect(createBrowserSession({}).getSnapshot().session?.accessToken).toBe('a')
    stop()
  })

  it('renews when the page is shown again', async () => {
    const fetch = vi.fn(async () => jsonAnswer(tokenObject('b')))
    vi.stubGlobal('fetch', fetch)
    localStorage.setItem(storageKeys.session, JSON.stringify({ session: tokenObject('a', 600), rev: 1, skewMs: 0 }))
    const session = createBrowserSession({})
    const stop = session.start()
    expect(fetch).not.toHaveBeenCalled()
    localStorage.setItem(storageKeys.session, JSON.stringify({ session: tokenObject('a', 1), rev: 2, skewMs: 0 }))
    window.dispatchEvent(new Event('focus'))
    await vi.waitFor(() => expect(session.getSnapshot().session?.accessToken).toBe('b'))
    expect(fetch).toHaveBeenCalledOnce()
    stop()
  })

  it('asks for a new token by a header, never by the address', async () => {
    const fetch = vi.fn(async () => jsonAnswer({}))
    vi.stubGlobal('fetch', fetch)
    await refreshByFetch('/api')('secret', new AbortController().signal)
    expect(fetch).toHaveBeenCalledWith(
      '/api/auth/refresh',
      expect.objectContaining({ method: 'POST', headers: { authorization: 'Bearer secret' } }),
    )
  })

  it('lives as long as its tab where the storage is forbidden', () => {
    vi.stubGlobal('localStorage', undefined)
    const session = createBrowserSession({})
    session.login(tokenObject('a'))
    expect(session.getSnapshot().session?.accessToken).toBe('a')
  })
  it('lives as long as its tab where the storage is full, and leaves nothing of it behind', () => {
    const full = Object.assign(Object.create(localStorage), {
      getItem: () => null,
      removeItem: () => undefined,
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError')
      },
    })
    vi.stubGlobal('localStorage', full)
    const session = createBrowserSession({})
    session.login(tokenObject('a'))
    expect(session.getSnapshot().session?.accessToken).toBe('a')
    session.logout()
    expect(session.getSnapshot().session).toBeNull()
  })

  it('begins where other tabs cannot be spoken to', () => {
    vi.stubGlobal(
      'BroadcastChannel',
      class {
        constructor() {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        }
      },
    )
    const session = createBrowserSession({})
    const stop = session.start()
    session.login(tokenObject('a'))
    expect(session.getSnapshot().session?.accessToken).toBe('a')
    stop()
    const talk = new TabTalk({ name: 'live', userId: 'me', onMessages: () => undefined })
    talk.close()
  })
})
