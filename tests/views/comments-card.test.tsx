import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { CommentsCard } from '#widgets/warning/comments-card.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const commented: AnyResource = {
  ...boat,
  actions: {
    comment: {
      label: ['Comment', 'Комментировать'],
      form: { text: { type: 'longText', label: ['Comment', 'Комментарий'], required: true } },
    },
  },
  tabs: { index: { label: ['Deck', 'Палуба'], widget: 'helm', sections: ['notes'] } },
}
const tables = { boat: [{ id: 'b1', code: 'B001', name: 'Gull', version: 1 }] }

/** A tab with the record, whose comments are sent at once or once released. */
function openTab(runAction: () => Promise<unknown> = async () => ({})) {
  const widgets = { helm: ({ record }: WidgetProps) => <CommentsCard resource={commented} record={record} /> }
  const tab = renderScreens({ at: '/boats/b1', tables, resources: [commented, sailor], widgets, runAction })
  const find = async () => (await within(tab.container).findByLabelText('Add a comment')) as HTMLTextAreaElement
  return {
    find,
    type: async (value: string) => fireEvent.change(await find(), { target: { value } }),
    send: () => fireEvent.click(within(tab.container).getByRole('button', { name: 'Add comment' })),
  }
}

it.each([
  ['Wet and dried', 'Wet', 'and dried'],
  ['Another thought', 'Wet', 'Another thought'],
  ['Wet', 'Wet', ''],
])('a comment box holds “%s” while “%s” is sent, and “%s” after it', async (meanwhile, sent, left) => {
  let release: (answer: unknown) => void = () => undefined
  const tab = openTab(() => new Promise((resolve) => (release = resolve)))
  await tab.type(sent)
  tab.send()
  await tab.type(meanwhile)
  release({})
  const box = await tab.find()
  await waitFor(() => expect(box.value).toBe(left))
  cleanup()
  expect((await openTab().find()).value).toBe(left)
})

it('a comment that is sent in one tab leaves the draft of another tab', async () => {
  const [one, other] = [openTab(), openTab()]
  await one.type('From the first')
  await other.type('From the second')
  one.send()
  await waitFor(async () => expect((await one.find()).value).toBe(''))
  cleanup()
  expect((await openTab().find()).value).toBe('From the second')
  expect(screen.queryByText('From the first')).toBeNull()
})

it.each([{ ctrlKey: true }, { metaKey: true }])(
  'a comment is sent by Enter with %o, as its hint says, and not by Enter alone',
  async (held) => {
    const sent: unknown[] = []
    const tab = openTab(async () => sent.push('one'))
    await tab.type('Dried')
    expect(screen.getByText('Ctrl+Enter or ⌘ Enter sends it')).toBeTruthy()
    const box = await tab.find()
    fireEvent.keyDown(box, { key: 'Enter' })
    expect(sent).toHaveLength(0)
    fireEvent.keyDown(box, { key: 'Enter', ...held })
    await waitFor(() => expect(sent).toHaveLength(1))
    await waitFor(() => expect(box.value).toBe(''))
  },
)

it('no comment is sent by keys where the button sends none', async () => {
  const sent: unknown[] = []
  const tab = openTab(async () => sent.push('one'))
  fireEvent.keyDown(await tab.find(), { key: 'Enter', ctrlKey: true })
  expect(sent).toHaveLength(0)
})
