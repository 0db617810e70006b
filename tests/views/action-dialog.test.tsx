import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { beginAction, noDialog, openDialog } from '#tests/support/begin-action.ts'
import { oneBoat } from '#tests/support/boat-form.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens, type ScreensOptions } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

/** A boat with an action that is confirmed, one that opens a new record, and one whose answer holds a secret. */
const asking: AnyResource = {
  ...boat,
  actions: {
    paint: boat.actions?.paint ?? { label: ['Paint', 'Покрасить'] },
    raze: { label: ['Raze', 'Разобрать'], confirm: { body: ['It is lost.', 'Она будет потеряна.'] } },
    copy: { label: ['Copy', 'Копировать'], opens: 'boat' },
    key: {
      label: ['New key', 'Новый ключ'],
      confirm: { body: ['The old key ends.', 'Старый ключ больше не действует.'] },
      reveals: { value: 'key', label: ['Key', 'Ключ'], text: ['Shown once.', 'Показан один раз.'] },
    },
  },
}

const page = (more: Partial<ScreensOptions> = {}) =>
  renderScreens({ at: '/boats/b1', tables: oneBoat(), resources: [asking, sailor], ...more })

/** A run that waits until the test lets it end. */
function slowRun(answer: object = {}) {
  let release: (() => void) | undefined
  const runAction = () =>
    new Promise<unknown>((resolve) => {
      release = () => resolve(answer)
    })
  const end = async () => {
    await waitFor(() => expect(release).toBeDefined())
    await act(async () => release?.())
  }
  return { runAction, end }
}

/** A draft of the form, left by a page that was closed while it was filled in. */
async function leaveDraft() {
  const { unmount } = page()
  await beginAction('Paint')
  fireEvent.change(await screen.findByLabelText(/^Colour/), { target: { value: 'red' } })
  unmount()
  cleanup()
  expect(JSON.stringify({ ...localStorage })).toContain('red')
}

it('keeps an offered draft of an action that is cancelled without an answer', async () => {
  await leaveDraft()
  page()
  await beginAction('Paint')
  await screen.findByText(/There are unsaved changes from/)
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Cancel' }))
  await noDialog()
  expect(JSON.stringify({ ...localStorage })).toContain('red')
})

it('asks before Cancel loses what was typed, and removes the draft of it', async () => {
  page()
  await beginAction('Paint')
  fireEvent.change(await screen.findByLabelText(/^Colour/), { target: { value: 'red' } })
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Stay' })).toBeNull())
  expect(screen.getByLabelText<HTMLInputElement>(/^Colour/).value).toBe('red')
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Cancel' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
  await noDialog()
  expect(localStorage.length).toBe(0)
})

it('asks before another page, as by Back, takes what was typed', async () => {
  const { go, address } = page()
  await beginAction('Paint')
  fireEvent.change(await screen.findByLabelText(/^Colour/), { target: { value: 'red' } })
  go('/sailor')
  fireEvent.click(await screen.findByRole('button', { name: 'Stay' }))
  expect(address()).toBe('/boats/b1')
  expect(screen.getByLabelText<HTMLInputElement>(/^Colour/).value).toBe('red')
})

it('opens the new record of an action, unless its page was left meanwhile', async () => {
  for (const left of [false, true]) {
    const { runAction, end } = slowRun({ id: 'b2' })
    const { address, go, notify } = page({ runAction })
    await beginAction('Copy')
    if (left) go('/sailor')
    await end()
    await waitFor(() => expect(notify).toHaveBeenCalled())
    await waitFor(() => expect(address()).toBe(left ? '/sailor' : '/boats/b2'))
    cleanup()
  }
})

it('closes the dialog of an action with its page', async () => {
  const { go, address } = page()
  for (const action of ['Raze', 'Paint']) {
    await beginAction(action)
    await openDialog()
    go('/sailor')
    await noDialog()
    expect(address()).toBe('/sailor')
    go('/boats/b1')
  }
})

it('keeps the dialog of an action that runs, and the secret that it has brought', async () => {
  const { runAction, end } = slowRun({ key: 'k-123' })
  const { go } = page({ runAction })
  await beginAction('New key')
  fireEvent.click(await (await openDialog()).findByRole('button', { name: 'New key' }))
  go('/sailor')
  expect(screen.queryByRole('dialog')).not.toBeNull()
  await end()
  await screen.findByText('Shown once.')
  go('/boats')
  expect(screen.getByText('Shown once.')).toBeTruthy()
})

it('takes no Cancel while a confirmed action runs', async () => {
  const { runAction, end } = slowRun()
  page({ runAction })
  await beginAction('Raze')
  fireEvent.click(await (await openDialog()).findByRole('button', { name: 'Raze' }))
  await waitFor(async () =>
    expect((await openDialog()).getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true),
  )
  await end()
  await noDialog()
})

it('marks a protective value, and says at the one that changes, and aloud, what it takes', async () => {
  const tune = {
    label: ['Tune', 'Настроить'],
    from: 'boat/{id}/tuning',
    form: {
      limits: {
        type: 'group',
        label: ['Limits', 'Пределы'],
        fields: {
          speed: { type: 'integer', label: ['Speed', 'Скорость'] },
          heat: { type: 'integer', danger: true, label: ['Heat', 'Нагрев'] },
        },
      },
      word: { type: 'text', label: ['Word', 'Слово'] },
    },
    guard: {
      group: 'limits',
      fields: 'danger.names',
      refusal: 'danger.why',
      confirm: 'word',
      equals: 'code',
      ask: ['Hot engines burn. Type {value}.', 'Горячо. Введите {value}.'],
      refusals: {},
    },
  } as const
  const loaded = { limits: { speed: 1, heat: 2 }, danger: { names: ['heat'], why: null } }
  page({ answer: () => loaded, resources: [{ ...asking, actions: { tune } }, sailor] })
  await beginAction('Tune')
  const heat = await screen.findByLabelText(/^Heat/)
  const described = () =>
    (heat.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent)
  expect(described()).toEqual(['protective'])
  expect(screen.getByLabelText(/^Speed/).hasAttribute('aria-describedby')).toBe(false)
  fireEvent.change(heat, { target: { value: '3' } })
  await waitFor(() => expect(described()).toEqual(['protective', 'Hot engines burn. Type B001.']))
  expect(document.querySelector('form [aria-live]')?.textContent).toBe('Hot engines burn. Type B001.')
})

it('gives the focus to what the server has refused: the field, or else the sentence', async () => {
  const refuse = (errors: object) => async () => {
    throw Object.assign(new Error('Not today'), { statusCode: 400, errors })
  }
  page({ runAction: refuse({ colour: 'No such paint' }) })
  await beginAction('Paint')
  fireEvent.change(await screen.findByLabelText(/^Colour/), { target: { value: 'red' } })
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Paint' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(/^Colour/)))
  expect(screen.getByText('No such paint')).toBeTruthy()
  cleanup()
  localStorage.clear()

  page({ runAction: refuse({}) })
  await beginAction('Paint')
  fireEvent.change(await screen.findByLabelText(/^Colour/), { target: { value: 'red' } })
  fireEvent.click((await openDialog()).getByRole('button', { name: 'Paint' }))
  await waitFor(() => expect(document.activeElement?.textContent).toContain('Not today'))
})
