import { expect, it } from 'vitest'
import { telemetryWarning } from '#resources/telemetry-warning.ts'

it('the figure of unacknowledged warnings and the view of that name count the same', () => {
  const figure = telemetryWarning.figures?.unacknowledged
  const view = telemetryWarning.list?.views?.unacknowledged
  expect(view?.filters).toEqual({ active: true, suppressed: false, acknowledged: false })
  expect(view?.filters).toEqual(figure?.filters)
  expect(view?.label.map((text, at) => figure?.label?.[at]?.startsWith(text))).toEqual([true, true])
})
