import { fireEvent, screen } from '@testing-library/react'
import type { Call, Tables } from './memory-provider.ts'

export const numbered = (count: number): Tables => ({
  boat: Array.from({ length: count }, (_, index) => ({
    id: `b${index + 1}`,
    code: `B${String(index + 1).padStart(3, '0')}`,
    name: index === 0 ? 'A&B +5%' : `Boat ${index + 1}`,
    kind: 'SAIL',
    state: index % 2 === 0 ? 'READY' : 'SUNK',
    powerW: (index + 1) * 1500,
    ownerId: 's1',
    owner: { id: 's1', name: 'Ann' },
    berth: { pier: 'A', place: index },
    secretNote: 'psst',
    version: 1,
  })),
  sailor: [{ id: 's1', name: 'Ann', version: 1 }],
})

export const rowsShown = () => screen.getAllByRole('row').slice(1)
export const lastList = (calls: readonly Call[]) => calls.filter(({ method }) => method === 'list').at(-1)?.details
/** Chooses a filter that is not in use from the menu; its box opens. */
export function chooseFilter(name: string) {
  fireEvent.click(screen.getByRole('button', { name: /^(More filters|Filters)$/ }))
  fireEvent.click(screen.getByRole('menuitem', { name }))
}
