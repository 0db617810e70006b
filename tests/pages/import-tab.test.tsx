import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { openConsole, type Server } from '#tests/shell/open-console.tsx'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'

expectQuietConsole()
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const checked: ImportReport = {
  target: 'control-pcb',
  dryRun: true,
  total: 1,
  created: 1,
  updated: 0,
  skipped: 0,
  failed: 0,
  letters: 0,
  ignored: [],
  faults: [],
  rejects: [],
}
const written: ImportReport = { ...checked, dryRun: false, keys: [{ code: 'PCB-1', uid: '0A', deviceKey: 'secret' }] }

const button = (name: string) => screen.findByRole('button', { name })
const isHeld = async () => (await screen.findAllByText('Leave without saving?')).length > 0
const isAskedBeforeClosing = () => {
  const event = new Event('beforeunload', { cancelable: true })
  window.dispatchEvent(event)
  return event.defaultPrevented
}

/** Imports one board with its key; the write waits for `written`. */
async function importBoard(answer: Promise<ImportReport>, { dry = checked, verb = 'Import 1 row' } = {}) {
  const server: Server = (call) => {
    if (!call.startsWith('POST import/control-pcb')) return
    return call.includes('dryRun=true') ? { body: dry } : answer.then((body) => ({ body }))
  }
  const opened = await openConsole({ role: 'admin', at: '/filling?target=control-pcb', server })
  await screen.findByRole('combobox', { name: /^What it holds/ })
  const file = new File(['code,uid\nPCB-1,0A'], 'boards.csv', { type: 'text/csv' })
  const input = await waitFor(() => {
    const found = document.querySelector('input[type=file]')
    if (!found) throw new Error('no input for a file yet')
    return found
  })
  fireEvent.change(input, { target: { files: [file] } })
  fireEvent.click(await button('Check the file'))
  fireEvent.click(await button(verb))
  return opened
}

it('asks before it leaves an import that is under way, whose keys nobody would get', async () => {
  const { path, history } = await importBoard(new Promise(() => undefined))
  await waitFor(() => expect(isAskedBeforeClosing()).toBe(true))
  act(() => history.push('/filling/jobs'))
  expect(await isHeld()).toBe(true)
  expect(path()).toBe('/filling?target=control-pcb')
})

it('asks before it leaves device keys that are not saved, and not any more once they are', async () => {
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:keys')
  const { path, history } = await importBoard(Promise.resolve(written))
  const another = await button('Another file')
  act(() => history.push('/filling/jobs'))
  expect(await isHeld()).toBe(true)
  fireEvent.click(await button('Stay'))
  expect(another.hasAttribute('disabled')).toBe(true)
  expect(isAskedBeforeClosing()).toBe(true)
  fireEvent.click(await button('Save the device keys'))
  expect(isAskedBeforeClosing()).toBe(false)
  expect(another.hasAttribute('disabled')).toBe(false)
  act(() => history.push('/filling/jobs'))
  await waitFor(() => expect(path()).toBe('/filling/jobs'))
})

it('makes the keys of boards that are there already, where an import was cut off before it handed them out', async () => {
  const known = { created: 0, skipped: 1 }
  const dry = { ...checked, ...known, newKeys: 1 }
  await importBoard(Promise.resolve({ ...written, ...known }), { dry, verb: 'Create 1 device key' })
  await button('Save the device keys')
})
