import { fireEvent, screen } from '@testing-library/react'
import type { Call, Tables } from './memory-provider.ts'

/** One stored boat of the toy definition, at version 3. */
export const oneBoat = (): Tables => ({
  boat: [
    {
      id: 'b1',
      code: 'B001',
      name: 'Gull',
      kind: 'SAIL',
      engine: null,
      state: 'READY',
      powerW: 12_500,
      ownerId: 's1',
      owner: { id: 's1', name: 'Ann' },
      builtOn: '2026-03-31',
      soldOn: null,
      secretNote: 'psst',
      berth: { pier: 'North', place: 4 },
      log: 'calm',
      version: 3,
    },
  ],
  sailor: [{ id: 's1', name: 'Ann', version: 1 }],
})

/** An input by its label, once it is there. */
export const input = async (name: RegExp | string) => await screen.findByLabelText(name)
export const type = async (name: RegExp | string, value: string) => fireEvent.change(await input(name), { target: { value } })
export const save = (name = 'Save') => fireEvent.click(screen.getByRole('button', { name }))
/** The bodies of the calls of a kind. */
export const sent = (calls: readonly Call[], method: string) =>
  calls.filter((call) => call.method === method).map(({ details }) => details.variables)

/** Holds the updates of a form back until they are released. */
export function heldUpdate() {
  let release: () => void = () => undefined
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  return { before: ({ method }: Call) => (method === 'update' ? released : undefined), release }
}
