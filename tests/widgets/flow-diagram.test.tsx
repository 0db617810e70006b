import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { seenByAdmin } from '#tests/support/seen-by-admin.tsx'
import { FlowDiagram } from '#widgets/energy/flow-diagram.tsx'

afterEach(cleanup)

const definitions = definitionsOf(resources)

it('says the direction of a flow in a line above its value, so that no line is longer than the drawing is wide', () => {
  const powers = { pvPowerW: 3000, gridPowerW: -1230, loadPowerW: null, batteryPowerW: 1540 }
  const { container } = render(seenByAdmin(definitions, <FlowDiagram powers={powers} />))
  const lines = [...container.querySelectorAll('text')].map((text) => text.textContent)
  expect(lines).toEqual([
    ...['Solar', '3.00 kW', 'Grid', 'export', '1.23 kW', 'Load', 'no value'],
    ...['Battery', 'discharging', '1.54 kW'],
  ])
})
