import { describe, expect, it } from 'vitest'
import { replay } from '#views/form/form-values.ts'

describe('what was typed, put over newer values', () => {
  const base = { limits: { chargeW: 5000, dischargeW: 5000 }, mode: 'MANUAL', note: null }

  it('changes only the parts that were touched', () => {
    const typed = { ...base, limits: { chargeW: 3000, dischargeW: 5000 } }
    const newer = { limits: { chargeW: 5000, dischargeW: 4000 }, mode: 'STANDBY', note: 'by a colleague' }
    expect(replay(newer, base, typed)).toEqual({ ...newer, limits: { chargeW: 3000, dischargeW: 4000 } })
  })

  it('wins where both have changed the same part, lists as a whole', () => {
    expect(replay({ days: [1] }, { days: [] }, { days: [2, 3] })).toEqual({ days: [2, 3] })
    expect(replay('theirs', 'before', 'mine')).toBe('mine')
  })
})
