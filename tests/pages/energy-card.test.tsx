import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { EnergyCard } from '#pages/dashboard/energy-card.tsx'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { seenByAdmin } from '#tests/support/seen-by-admin.tsx'

afterEach(cleanup)

const all = { socPct: 5, storedWh: 5, pvPowerW: 5, loadPowerW: 5, batteryPowerW: 5, gridPowerW: 5 }
const powers = { pvPowerW: 900, loadPowerW: 700, batteryPowerW: -200, gridPowerW: 0 }

const draw = (measured: Partial<typeof all>) => {
  const facts = { systems: 5, query: 'socPct_null=false', storedWh: 25_000, ratedWh: 50_000, socPct: 50, soc: [] }
  const fleet = { ...facts, ...powers, measured: { ...all, ...measured } }
  render(<MemoryRouter>{seenByAdmin(definitionsOf(resources), <EnergyCard fleet={fleet} />)}</MemoryRouter>)
}

it('says of the fleet’s sums which are of fewer systems than report', () => {
  draw({ storedWh: 3, pvPowerW: 4 })
  expect(
    screen.getByText('Not all of the 5 systems that report measure everything: stored energy 3, solar power 4'),
  ).toBeDefined()
})

it('says nothing of it where all systems measure everything', () => {
  draw({})
  expect(screen.queryByText(/measure everything/)).toBeNull()
})
