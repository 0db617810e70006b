import { renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { askForKeys, onAskedForKeys, usePagePart, usePageParts } from '#views/keys/page-keys.ts'

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

it('the overview of keys has those of a part that comes to the page after it was opened, until the part leaves', () => {
  const { result } = renderHook(usePageParts)
  const parts = [renderHook(() => usePagePart('search')), renderHook(() => usePagePart('search'))]
  const form = renderHook(() => usePagePart('form'))
  expect(result.current).toEqual(['search', 'search', 'form'])
  parts[0]?.unmount()
  form.unmount()
  expect(result.current).toEqual(['search'])
  parts[1]?.unmount()
  expect(result.current).toEqual([])
})
