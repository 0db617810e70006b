import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPublicCall } from '#providers/public-call.ts'
import { signInDevice } from '#providers/session/sign-in-device.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'

function storageWith(entries: Record<string, string> = {}) {
  const stored = new Map(Object.entries(entries))
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
}

describe('the token of this browser', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('is made once, at random, and again in place of a damaged one', () => {
    const storage = storageWith()
    const made = signInDevice(storage)
    expect(made).toMatch(/^[0-9a-f]{64}$/)
    expect(signInDevice(storage)).toBe(made)
    expect(signInDevice(storageWith())).not.toBe(made)
    expect(signInDevice(storageWith({ [storageKeys.signInDevice]: 'damaged' }))).toMatch(/^[0-9a-f]{64}$/)
  })

  it('goes with calls that sign in, and with no other', async () => {
    const sent: Record<string, unknown> = {}
    vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Record<string, string> }) => {
      sent[url] = headers['x-sign-in-device']
      return new Response('{}')
    })
    const call = createPublicCall({ words: (key) => key, language: () => 'en', device: () => 'token' })
    await call('POST', 'auth/login', {})
    await call('POST', 'support', {})
    expect(sent).toEqual({ '/api/auth/login': 'token', '/api/support': undefined })
  })
})
