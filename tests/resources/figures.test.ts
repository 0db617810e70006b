import { expect, it } from 'vitest'
import { telemetryWarning } from '#resources/telemetry-warning.ts'

it('the figure of unacknowledged warnings and the view of that name count the same', () => {
  const [figure, view] = [telemetryWarning.figures.unacknowledged, telemetryWarning.list.views.unacknowledged]
  expect(view.filters).toEqual(figure.filters)
  expect(figure.label.map((text, at) => text.startsWith(view.label[at] ?? ''))).toEqual([true, true])
})
