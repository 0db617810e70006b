import { describe, expect, it } from 'vitest'
import { verdictOf } from './verdict.ts'

const none = { names: ['visit'], failed: [], leftOut: [], unmade: [] }

describe('a run over a definition', () => {
  it('proves it where every check was tried and held', () => {
    expect(verdictOf(none)).toEqual({ lines: ['Nothing was left out.', 'Proven: visit'], isProven: true })
  })

  it('says that it proves it in part where checks were left out', () => {
    const { lines, isProven } = verdictOf({ ...none, leftOut: ['visit: photo: no file is known'] })
    expect(isProven).toBe(true)
    expect(lines).toEqual([
      'Left out, and why:',
      'visit: photo: no file is known',
      'Proven except for what is left out above: visit',
    ])
  })

  it('does not prove it where no record could be made, and says why', () => {
    const { lines, isProven } = verdictOf({
      ...none,
      names: ['visit', 'site'],
      leftOut: ['visit: changes: ess offers nothing'],
      unmade: ['visit: ess offers nothing'],
    })
    expect(isProven).toBe(false)
    expect(lines.slice(2)).toEqual(['Proven: site', 'Not proven: visit: no record could be made: ess offers nothing'])
  })

  it('does not prove it where a check failed', () => {
    const { lines, isProven } = verdictOf({ ...none, failed: ['visit'], unmade: ['visit: ess offers nothing'] })
    expect([lines.at(-1), isProven]).toEqual(['Not proven: visit: checks failed, see × above', false])
  })
})
