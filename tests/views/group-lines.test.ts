import { expect, it } from 'vitest'
import { telemetryWarning } from '#resources/telemetry-warning.ts'
import { groupLines } from '#views/inbox/group-lines.ts'

it('does not repeat in a row what the heading of its group says', () => {
  expect(groupLines(telemetryWarning, 'code')).toEqual([
    ['severity', 'essId'],
    ['state', 'raisedAt'],
  ])
  expect(groupLines(telemetryWarning, 'essId')).toEqual([
    ['severity', 'code'],
    ['state', 'raisedAt'],
  ])
  expect(groupLines(telemetryWarning, 'assigneeId')).toEqual([
    ['severity', 'code'],
    ['essId', 'state', 'raisedAt'],
  ])
})
