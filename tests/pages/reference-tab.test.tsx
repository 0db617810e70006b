import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ChemistryPreset } from '#resources/fleet/chemistry-preset.ts'
import type { Threshold } from '#resources/fleet/warnings/threshold.ts'
import { openConsole, type Server } from '#tests/shell/open-console.tsx'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'

expectQuietConsole()
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const untouched = { version: 0, updatedAt: null, updatedBy: null }
const limit = { delayS: 60, levels: [{ severity: 'WARNING', raise: 50, clear: 45 }] } satisfies Partial<Threshold>
const threshold = (key: string, title: string): Threshold => ({
  ...limit,
  ...untouched,
  key,
  code: 'OVER_TEMP',
  title: [title, title],
  chemistry: null,
  unit: '°C',
  direction: 'above',
  around: null,
  standard: limit,
})
const cells = {
  lowestMinMv: 2000,
  highestMinMv: 2900,
  lowestMaxMv: 3400,
  highestMaxMv: 3700,
  usualMinMv: 2500,
  usualMaxMv: 3600,
  nominalMv: 3200,
}
const preset = (chemistry: string): ChemistryPreset => ({ ...cells, ...untouched, chemistry, standard: cells })

const sided: Threshold['levels'] = [{ severity: 'CRITICAL', raise: 34, clear: 28, under: { raise: 46, clear: 40 } }]
const range = { ...threshold('volt', 'Grid voltage'), direction: 'around', around: 230, unit: 'V', levels: sided } as const

const answers: Readonly<Record<string, unknown>> = {
  'GET warning-threshold': [
    threshold('hot', 'Hot cell'),
    threshold('cold', 'Cold cell'),
    { ...range, standard: { ...limit, levels: sided } },
  ],
  'GET chemistry-preset': [preset('LFP'), preset('NMC')],
}
const server: Server = (call) => {
  const body = answers[call.split('?')[0] ?? '']
  return body ? { body } : undefined
}
const open = () => openConsole({ role: 'admin', at: '/filling/reference', server })
const button = (name: string | RegExp) => screen.findByRole<HTMLButtonElement>('button', { name })
const texts = () => screen.getAllByRole<HTMLInputElement>('textbox')

describe.each([
  { subject: 'a threshold', first: /^Change: Hot cell/, other: /^Change: Cold cell/ },
  { subject: 'a preset', first: /^Change: .*LFP/, other: /^Change: .*NMC/ },
])('an edit of $subject', ({ first, other }) => {
  const edit = async () => {
    const { history, path } = await open()
    fireEvent.click(await button(first))
    const [input] = texts()
    if (!input) throw new Error('no input')
    return { history, path, input, leave: () => act(() => history.push('/filling/jobs')) }
  }

  it('is asked for before the page is left', async () => {
    const { path, input, leave } = await edit()
    fireEvent.change(input, { target: { value: '51' } })
    leave()
    fireEvent.click(await button('Stay'))
    expect(path()).toBe('/filling/reference')
    expect(input.value).toBe('51')
    leave()
    fireEvent.click(await button('Leave'))
    await waitFor(() => expect(path()).toBe('/filling/jobs'))
  })

  it('is not replaced by the edit of another row', async () => {
    const { input } = await edit()
    expect((await button(other)).disabled).toBe(false)
    fireEvent.change(input, { target: { value: '51' } })
    expect((await button(other)).disabled).toBe(true)
    fireEvent.click(await button('Cancel'))
    expect((await button(other)).disabled).toBe(false)
  })

  it('that changes nothing is left without a question', async () => {
    const { path, leave } = await edit()
    leave()
    await waitFor(() => expect(path()).toBe('/filling/jobs'))
  })
})

describe('a range with other bounds below its centre', () => {
  it('has a row for each side, and both are edited and judged', async () => {
    await open()
    expect(await screen.findByText('Critical, below')).toBeTruthy()
    fireEvent.click(await button(/^Change: Grid voltage/))
    const input = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
    expect(input('Raise at: Grid voltage, Critical, above').value).toBe('34')
    const below = input('Raise at: Grid voltage, Critical, below')
    expect(below.value).toBe('46')
    fireEvent.change(below, { target: { value: '30' } })
    expect(screen.getByText('It ends on the safe side of where it begins')).toBeTruthy()
  })
})
