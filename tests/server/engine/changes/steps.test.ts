import { describe, expect, it } from 'vitest'
import { type Step, stepLine, stepText, withoutValues } from '#server/engine/changes/steps.ts'

const step: Step = {
  kind: 'choices',
  resource: 'visit',
  field: 'state',
  rows: 12,
  examples: [
    { before: 'FIXING', after: 'REPAIR' },
    { before: 'ODD', after: null },
    { before: 'x'.repeat(100), after: 'OPEN' },
  ],
}

describe('a step of a plan', () => {
  it('shows some values as they are and as they become', () => {
    expect(stepText(step).split('\n')).toEqual([
      '  visit.state: takes its new choices (12 rows)',
      '    "FIXING" → "REPAIR"',
      '    "ODD" → null',
      `    "${'x'.repeat(79)}… → "OPEN"`,
    ])
  })

  it('has no value where anybody may read it', () => {
    expect(withoutValues(step)).toEqual({ kind: 'choices', resource: 'visit', field: 'state', rows: 12 })
    expect(stepLine(step)).not.toContain('FIXING')
  })
})
