import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import type { Outlook } from '#schema/wire/outlook.ts'
import { input, type } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const watch: AnyResource = {
  name: 'boat',
  route: 'boats',
  label: { one: ['Watch', 'Вахта'], many: ['Watches', 'Вахты'] },
  title: 'name',
  fields: {
    name: { type: 'text', label: ['Name', 'Название'], required: true },
    port: { type: 'text', label: ['Port', 'Порт'], required: true, maxLength: 8 },
    turns: {
      type: 'list',
      label: ['Turns', 'Смены'],
      divides: {
        count: 'men',
        share: 'sharePct',
        label: ['Turn {number}', 'Смена {number}'],
        usual: [{ men: 2 }, { sharePct: 100 }],
      },
      fields: {
        men: { type: 'integer', label: ['Men', 'Людей'] },
        sharePct: { type: 'percent', label: ['Share', 'Доля'] },
      },
    },
    course: {
      type: 'list',
      label: ['Course', 'Ход'],
      derived: true,
      readOnly: true,
      detailOnly: true,
      bars: { by: 'turn', counts: { awake: 'good', asleep: 'idle' } },
      fields: {
        turn: { type: 'integer', label: ['Turn', 'Смена'] },
        awake: { type: 'count', label: ['Awake', 'Не спят'] },
        asleep: { type: 'count', label: ['Asleep', 'Спят'] },
      },
    },
  },
  outlook: { of: 'sailor', values: ['port'], help: ['Counted again at the start', 'Пересчитаем в начале'] },
  actions: {
    start: {
      label: ['Start', 'Начать'],
      confirm: { body: ['They are called.', 'Их зовут.'], outlook: true, typeToConfirm: 'port', typeAbove: 10 },
    },
  },
  access: { list: ['admin'], create: ['admin'], edit: ['admin'] },
}
const few = [{ id: 's1', title: 'Ann' }]
const found = (count: number): Outlook => ({
  total: count + 3,
  count,
  reasons: [{ code: 'ILL', text: 'On the sick list', count: 3, isOut: true, few }],
  first: [{ id: 's2', title: 'Bob' }],
})
const stored = () => ({
  boat: [{ id: 'b1', name: 'First', port: 'North', turns: null, course: [{ turn: 1, awake: 3, asleep: 0 }], version: 1 }],
})

/** The screens of a watch whose outlook is answered by `answer`. */
function watched(at: string, answer: (port: string, signal?: AbortSignal) => unknown, tables = {}) {
  const ports: string[] = []
  const screens = renderScreens({
    at,
    tables,
    resources: [watch, sailor],
    answer: ({ payload, signal }) => {
      const port = String(valueAt(payload, 'port'))
      ports.push(port)
      return answer(port, signal)
    },
  })
  return { ...screens, ports: () => ports }
}

describe('a form that takes records in', () => {
  it('names what is missing, then counts after a pause, with reasons and the first ones', async () => {
    const { ports } = watched('/boats/create', () => found(20))
    await screen.findByText('Fill in first: Port')
    for (const value of ['N', 'No', 'Nor', 'North']) await type(/^Port/, value)
    await screen.findByText('20 of 23 included')
    expect(ports()).toEqual(['North'])
    expect(screen.getByRole('row', { name: /3\s*On the sick list\s*Ann\s*and 2 more/ })).toBeTruthy()
    expect(screen.getByText('Bob')).toBeTruthy()
    expect(screen.getByText('Counted again at the start')).toBeTruthy()
    expect(screen.getByRole('figure', { name: 'Turns' }).textContent).toContain('Turn 1 2Turn 2 18')
  })

  it('numbers its parts without a hole, and says how many are left empty', async () => {
    const turns: AnyResource['fields'][string] | undefined = watch.fields.turns
    if (turns?.type !== 'list' || !turns.divides) throw new Error('turns divide the outlook')
    const divides = { ...turns.divides, usual: [{ men: 1 }, { sharePct: 10 }, { sharePct: 100 }] }
    const resources = [{ ...watch, fields: { ...watch.fields, turns: { ...turns, divides } } }, sailor]
    renderScreens({ at: '/boats/create', tables: {}, resources, answer: () => found(4) })
    await type(/^Port/, 'North')
    await screen.findByText('4 of 7 included')
    expect(screen.getByRole('figure', { name: 'Turns' }).textContent).toContain('Turn 1 1Turn 2 3')
    expect(screen.getByText('Turns left out because nothing falls to them: 1')).toBeTruthy()
  })

  it('asks for the fields in view only, and counts without those that a choice has hidden', async () => {
    const isSteam = { field: 'port', op: 'eq', value: 'Steam' } as const
    const coal: AnyResource['fields'] = { coal: { type: 'text', label: ['Coal', 'Уголь'], required: true, when: isSteam } }
    const fields = { ...watch.fields, ...coal }
    const ship: AnyResource = { ...watch, fields, outlook: { of: 'sailor', values: ['port', 'coal'] } }
    const asked: unknown[] = []
    const answer = ({ payload }: { payload?: unknown }) => {
      asked.push(payload)
      return found(5)
    }
    renderScreens({ at: '/boats/create', tables: {}, resources: [ship, sailor], answer })
    await type(/^Port/, 'Steam')
    await screen.findByText('Fill in first: Coal')
    await type(/^Coal/, 'Black')
    await screen.findByText('5 of 8 included')
    await type(/^Port/, 'Sail')
    await waitFor(() => expect(asked).toEqual([{ port: 'Steam', coal: 'Black' }, { port: 'Sail' }]))
  })

  it('aborts an outdated count, and keeps what was typed when counting fails', async () => {
    const signals: (AbortSignal | undefined)[] = []
    let isBroken = true
    const { ports } = watched('/boats/create', (port, signal) => {
      signals.push(signal)
      if (port === 'North') return new Promise(() => undefined)
      if (isBroken) throw Object.assign(new Error('down'), { statusCode: 503 })
      return found(4)
    })
    await type(/^Port/, 'North')
    await waitFor(() => expect(ports()).toEqual(['North']))
    await type(/^Port/, 'South')
    await screen.findByText(/Could not be counted/)
    expect(signals[0]?.aborted).toBe(true)
    expect(((await input(/^Port/)) as HTMLInputElement).value).toBe('South')
    isBroken = false
    fireEvent.click(screen.getByRole('button', { name: 'Count again' }))
    await screen.findByText('4 of 7 included')
  })

  it('says itself what the server refuses, and asks nothing for values that could not be saved', async () => {
    const { ports } = watched('/boats/create', () => {
      throw Object.assign(new Error('No such port'), { statusCode: 400 })
    })
    await type(/^Port/, 'Nowhere')
    await screen.findByText('No such port')
    await type(/^Port/, 'Much too long')
    await screen.findByText('Counted again once the values above are right.')
    await act(() => new Promise((resolve) => setTimeout(resolve, 600)))
    expect(ports()).toEqual(['Nowhere'])
  })
})

describe('an action that counts before it runs', () => {
  const open = async (answer: () => unknown) => {
    const screens = watched('/boats/b1', answer, stored())
    fireEvent.click(await screen.findByRole('button', { name: 'Start' }))
    const dialog = await screen.findByRole('dialog')
    return { ...screens, dialog }
  }
  const start = () => screen.getAllByRole('button', { name: 'Start' }).at(-1) as HTMLButtonElement

  it('runs without more ado where it is about few', async () => {
    const { runAction } = await open(() => found(10))
    await within(await screen.findByRole('dialog')).findByText('10 of 13 included')
    expect(screen.getAllByText('10 of 13 included'), 'the record says so, too').toHaveLength(2)
    expect(screen.queryByRole('textbox')).toBeNull()
    fireEvent.click(start())
    await waitFor(() => expect(runAction).toHaveBeenCalled())
  })

  it.each([
    ['it is about many', () => found(11)],
    [
      'nobody knows how many',
      () => {
        throw new Error('down')
      },
    ],
  ])('asks for the value where %s', async (_, answer) => {
    const { runAction } = await open(answer)
    const typed = await screen.findByRole('textbox')
    expect(start().disabled).toBe(true)
    fireEvent.change(typed, { target: { value: 'North' } })
    fireEvent.click(start())
    await waitFor(() => expect(runAction).toHaveBeenCalled())
  })
})

it('draws rows of counts as bars, with the counts in words', async () => {
  watched('/boats/b1', () => found(1), stored())
  const bar = await screen.findByRole('figure', { name: 'Turn 1' })
  expect(bar.textContent).toContain('Awake 3')
  expect(bar.textContent).not.toContain('Asleep')
})
