import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'

afterEach(cleanup)
expectQuietConsole()

const resources = [
  {
    ...boat,
    head: 'mast',
    tabs: {
      index: { label: ['Deck', 'Палуба'], widget: 'helm', sections: ['location'] },
      papers: { label: ['Papers', 'Бумаги'], sections: ['notes'] },
    } as const,
  },
  sailor,
]
const widgets = {
  mast: ({ record, tab }: WidgetProps) => <p>{`Mast of ${record.name} over ${tab}`}</p>,
  helm: ({ record }: WidgetProps) => <p>{`Helm of ${record.name}`}</p>,
}
const tables = {
  boat: [{ id: 'b1', code: 'B001', name: 'Gull', berth: { pier: 'North', place: 4 }, log: 'Calm', version: 1 }],
}

it('puts a widget above the tabs, and one above the sections of a tab', async () => {
  renderScreens({ at: '/boats/b1', tables, resources, widgets })
  const mast = await screen.findByText('Mast of Gull over index')
  const tabs = screen.getByRole('navigation', { name: 'Parts of the record' })
  const helm = screen.getByText('Helm of Gull')
  const section = screen.getByText('North')
  const order = [mast, tabs, helm, section]
  for (const [index, each] of order.slice(1).entries())
    expect(order[index]?.compareDocumentPosition(each)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
  fireEvent.click(within(tabs).getByRole('link', { name: 'Papers' }))
  await screen.findByText('Mast of Gull over papers')
  expect(screen.getByText('Calm')).toBeTruthy()
  expect(screen.queryByText('Helm of Gull')).toBeNull()
})
