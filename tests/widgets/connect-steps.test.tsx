import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { seenByAdmin } from '#tests/support/seen-by-admin.tsx'
import { StepsCard } from '#widgets/connect/steps-card.tsx'

afterEach(cleanup)

it('of a clock that is wrong says by how much as people read a duration', () => {
  const hints = [{ code: 'CLOCK_BEHIND' as const, values: { offsetS: 1_794_618_656 } }]
  render(seenByAdmin(definitionsOf(resources), <StepsCard steps={[{ code: 'CLOCK', state: 'FAILED', at: null, hints }]} />))
  expect(screen.getByText('Its clock is 56 y 331 d behind. Set it by the time in the answers.')).toBeDefined()
})
