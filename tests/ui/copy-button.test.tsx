import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { CopyButton } from '#ui/input/copy-button.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  Reflect.deleteProperty(document, 'execCommand')
})

/** A page without https has no clipboard; `answer` is the browser's to the old command. */
function withoutClipboard(answer: boolean) {
  const copied: string[] = []
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as never)
  Object.assign(document, {
    execCommand: (command: string) => {
      copied.push(`${command} ${getSelection()}`)
      return answer
    },
  })
  return copied
}

it('copies by the selection where the page has no clipboard', async () => {
  const copied = withoutClipboard(true)
  render(<CopyButton text="secret  key" />)
  const nodes = document.querySelectorAll('*').length
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  await screen.findByRole('button', { name: 'Copied' })
  expect(copied).toEqual(['copy secret  key'])
  expect(document.body.textContent).not.toContain('secret')
  expect(document.querySelectorAll('*').length).toBeLessThanOrEqual(nodes + 2)
})

it('says that nothing was copied', async () => {
  withoutClipboard(false)
  render(<CopyButton text="key">Copy the key</CopyButton>)
  fireEvent.click(screen.getByRole('button', { name: 'Copy the key' }))
  await screen.findByRole('button', { name: 'Not copied' })
})

it('copies by the selection where the browser refuses its clipboard', async () => {
  const copied = withoutClipboard(true)
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue({ writeText: () => Promise.reject(new Error('denied')) } as never)
  render(<CopyButton text="key" />)
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  await screen.findByRole('button', { name: 'Copied' })
  expect(copied).toEqual(['copy key'])
})
