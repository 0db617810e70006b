import { renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { usePasskeyFill } from '#pages/public/use-passkey-fill.ts'

const sign = vi.hoisted(() => vi.fn<(options: unknown) => Promise<object | undefined>>())
vi.mock('#pages/factor/passkey-device.ts', () => ({
  fillsPasskeys: async () => true,
  signByFilledPasskey: sign,
  stopFilling: async () => undefined,
}))

const begin = vi.fn<() => Promise<{ options: unknown; browser: unknown }>>()
const finish = vi.fn<(browser: unknown, response: object) => Promise<void>>()
const minuteMs = 60_000
let visibility = 'visible'

const show = () => renderHook(() => usePasskeyFill({ isOn: true, begin, finish }))
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const use = async (name: string, target: EventTarget = document) => {
  target.dispatchEvent(new Event(name, { bubbles: true }))
  await pass(0)
}

beforeEach(() => {
  vi.useFakeTimers()
  visibility = 'visible'
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility as DocumentVisibilityState)
  begin.mockReset().mockResolvedValue({ options: {}, browser: 'proof' })
  finish.mockReset()
  sign.mockReset().mockReturnValue(new Promise(() => undefined))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('passkeys in the e-mail field', () => {
  it('are asked for once by a page that lies open, and by one that is looked at again and again', async () => {
    const { unmount } = show()
    await pass(8 * 60 * minuteMs)
    expect(begin).toHaveBeenCalledTimes(1)
    await use('pointerdown')
    expect(begin).toHaveBeenCalledTimes(2)
    for (let time = 0; time < 100; time += 1) {
      await use('visibilitychange')
      await use('focus', window)
      await pass(1_000)
    }
    expect(begin).toHaveBeenCalledTimes(2)
    unmount()
  })

  it.each(['visibilitychange', 'focus', 'pointerdown', 'keydown'])(
    'are asked for again by %s once the options have grown old',
    async (name) => {
      const { unmount } = show()
      await pass(4 * minuteMs - 1)
      await use(name, window)
      expect(begin).toHaveBeenCalledTimes(1)
      await pass(1)
      await use(name, window)
      expect(begin).toHaveBeenCalledTimes(2)
      unmount()
      await pass(5 * minuteMs)
      await use(name, window)
      expect(begin).toHaveBeenCalledTimes(2)
    },
  )

  it('are asked for by a page in the background when a person comes to it', async () => {
    visibility = 'hidden'
    const { unmount } = show()
    await pass(minuteMs)
    expect(begin).not.toHaveBeenCalled()
    visibility = 'visible'
    await use('visibilitychange')
    expect(begin).toHaveBeenCalledTimes(1)
    unmount()
  })

  it('sign in the one who picks one', async () => {
    sign.mockResolvedValue({ id: 'key' })
    const { unmount } = show()
    await pass(0)
    expect(finish).toHaveBeenCalledExactlyOnceWith('proof', { id: 'key' })
    unmount()
  })
})
