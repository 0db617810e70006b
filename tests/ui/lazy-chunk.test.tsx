import { act, cleanup, render, screen } from '@testing-library/react'
import { Component, type ReactNode, Suspense } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { LazyChunk, LazyView, lazyCode } from '#ui/layout/lazy-chunk.tsx'

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

type HelloProps = { name: string }
const Hello = ({ name }: HelloProps) => <p>Hello {name}</p>

class Boundary extends Component<{ children: ReactNode }, { isFailed: boolean }> {
  override state = { isFailed: false }
  static getDerivedStateFromError = () => ({ isFailed: true })
  override render = () => (this.state.isFailed ? <p>Failed</p> : this.props.children)
}

const page = (code: LazyChunk<HelloProps>) => (
  <Boundary>
    <Suspense fallback={<p>Loading</p>}>
      <LazyView code={code} props={{ name: 'Ada' }} />
    </Suspense>
  </Boundary>
)

it('a component whose code has come is drawn in the first pass', async () => {
  const code = new LazyChunk(async () => Hello)
  await code.preload()
  render(page(code))
  expect(screen.getByText('Hello Ada')).toBeDefined()
})

it('a component whose code has not come yet leaves its place to the fallback', async () => {
  const code = new LazyChunk(async () => Hello)
  const view = render(page(code))
  expect(screen.getByText('Loading')).toBeDefined()
  await act(async () => {})
  view.rerender(page(code))
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})

it('code that failed ahead of time is asked for again where it is drawn', async () => {
  const load = vi.fn(async () => Hello).mockRejectedValueOnce(new Error('offline'))
  const code = new LazyChunk<HelloProps>(load)
  await expect(code.preload()).rejects.toThrow('offline')
  await act(async () => void render(page(code)))
  expect(await screen.findByText('Hello Ada')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(2)
})

it('code that fails where it is drawn is asked for once, and the error screen says so', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const load = vi.fn(async (): Promise<typeof Hello> => Promise.reject(new Error('offline')))
  await act(async () => void render(page(new LazyChunk<HelloProps>(load))))
  expect(await screen.findByText('Failed')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(1)
})

/** A line that is down until it is called back; meanwhile code does not come. */
function lineDown() {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const load = vi.fn(async () => (navigator.onLine ? Hello : Promise.reject(new TypeError('Failed to fetch'))))
  const comeBack = () => {
    isOnline.mockReturnValue(true)
    window.dispatchEvent(new Event('online'))
  }
  return { load, comeBack }
}

it('code that fails without a line leaves its place to the fallback, and comes by itself with the line', async () => {
  const { load, comeBack } = lineDown()
  await act(async () => void render(page(new LazyChunk<HelloProps>(load))))
  expect(screen.getByText('Loading')).toBeDefined()
  await act(async () => comeBack())
  expect(await screen.findByText('Hello Ada')).toBeDefined()
  expect(load).toHaveBeenCalledTimes(2)
})

it('a part of a page that fails without a line comes by itself with the line', async () => {
  const { load, comeBack } = lineDown()
  const Part = lazyCode(async () => ({ default: await load() }))
  const part = (
    <Boundary>
      <Suspense fallback={<p>Loading</p>}>
        <Part name="Ada" />
      </Suspense>
    </Boundary>
  )
  await act(async () => void render(part))
  expect(screen.getByText('Loading')).toBeDefined()
  await act(async () => comeBack())
  expect(await screen.findByText('Hello Ada')).toBeDefined()
})
