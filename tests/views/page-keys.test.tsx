import { expect, it, vi } from 'vitest'
import { askForKeys, onAskedForKeys } from '#views/keys/page-keys.ts'

it('the overview of keys, asked for while its code is under way, opens with it, once', () => {
  askForKeys()
  const [first, second] = [vi.fn(), vi.fn()]
  const stop = onAskedForKeys(first)
  expect(first).toHaveBeenCalledOnce()
  stop()
  const stopSecond = onAskedForKeys(second)
  expect(second).not.toHaveBeenCalled()
  askForKeys()
  stopSecond()
  const third = vi.fn()
  onAskedForKeys(third)()
  expect([first, second, third].map((each) => each.mock.calls.length)).toEqual([1, 1, 0])
})
