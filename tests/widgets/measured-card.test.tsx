import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { Row } from '#fields/field-kind.ts'
import { resources } from '#resources/index.ts'
import { telemetryWarning } from '#resources/telemetry-warning.ts'
import { definitionsOf } from '#schema/definition.ts'
import { seenByAdmin } from '#tests/support/seen-by-admin.tsx'
import { MeasuredCard } from '#widgets/warning/measured-card.tsx'

afterEach(cleanup)

const definitions = definitionsOf(resources)
const warning = {
  id: 'w1',
  active: true,
  severity: 'CRITICAL',
  startedAt: '2026-09-16T08:00:00Z',
  raisedAt: '2026-11-22T12:00:00Z',
}

const draw = (record: Row, clockOffsetMs?: number) =>
  render(
    seenByAdmin(
      definitions,
      <MeasuredCard
        resource={telemetryWarning}
        record={{ ...warning, ...record }}
        isPartial={false}
        clockOffsetMs={clockOffsetMs}
      />,
    ),
  )

it('of a silence says how long it was when the warning was raised, which is no measurement', () => {
  draw({ code: 'COMM_LOST', value: 24.01, unit: 'h', threshold: null })
  expect(screen.queryByText('Value')).toBeNull()
  expect(screen.queryByText('1 d')).toBeNull()
  expect(screen.getByText('It had lasted for 1 d 36 s when it was raised.')).toBeDefined()
  expect(screen.queryByText('An event without a measured value.')).toBeNull()
})

it('of an event says that nothing was measured', () => {
  draw({ code: 'COMM_FAULT', value: null, unit: null, threshold: null })
  expect(screen.getByText('An event without a measured value.')).toBeDefined()
})

it('of a clock that is wrong says by how much, and by how much more than it may be', () => {
  draw({ code: 'CLOCK_DRIFT', value: 7200, unit: 's', threshold: 3600 })
  expect(screen.getByText('Value').nextElementSibling?.textContent).toBe('2 h')
  expect(screen.getByText('1 h above the threshold')).toBeDefined()
})

it.each([
  [undefined, '14 Jan 1970 instead of 22 Nov 2026'],
  [1_794_000_000_000, '30 Sept 2083 instead of 22 Nov 2026'],
])('of a clock that is days off says what it showed, by its offset %s of now', (clockOffsetMs, text) => {
  draw({ code: 'CLOCK_DRIFT', value: 1_794_182_400, unit: 's', threshold: 3600 }, clockOffsetMs)
  expect(screen.getByText('Value').nextElementSibling?.textContent).toBe(text)
  expect(screen.queryByText(/above the threshold/)).toBeNull()
})

it('of a warning that was worse says how bad it was', () => {
  draw({
    code: 'OVER_TEMP',
    severity: 'WARNING',
    value: 48,
    unit: '°C',
    threshold: 45,
    worseSeverity: 'CRITICAL',
    worseValue: 56.5,
  })
  expect(screen.getByText('Was worse').nextElementSibling?.textContent).toBe('Critical')
  expect(screen.getByText('Worse value').nextElementSibling?.textContent).toBe('56.5 °C')
})

it('of a warning that was never worse says nothing of it', () => {
  draw({ code: 'OVER_TEMP', value: 56, unit: '°C', threshold: 55, worseSeverity: null, worseValue: null })
  expect(screen.queryByText('Was worse')).toBeNull()
})
