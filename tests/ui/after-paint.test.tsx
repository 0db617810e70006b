import { expect, it, vi } from 'vitest'
import { afterPaint } from '#ui/layout/after-paint.ts'

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
const task = () => new Promise((resolve) => setTimeout(resolve))

it('work after the paint begins neither at once nor in the frame that paints', async () => {
  const work = vi.fn()
  afterPaint(work)
  await frame()
  expect(work).not.toHaveBeenCalled()
  await task()
  expect(work).toHaveBeenCalledOnce()
})

it('work after the paint is dropped by its cancel function, before the frame and behind it', async () => {
  const work = vi.fn()
  afterPaint(work)()
  const cancel = afterPaint(work)
  await frame()
  cancel()
  await task()
  expect(work).not.toHaveBeenCalled()
})
