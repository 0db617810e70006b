import { describe, expect, it } from 'vitest'
import { verdictOf } from './verdict.ts'

const none = { names: ['visit'], failed: [], leftOut: [], unmade: [] }

describe('a run over a definition', () => {
  it('proves it where every check was tried and held', () => {
    expect(verdictOf(none)).toEqual({ lines: ['Nothing was left out.', 'Proven: visit'], isSound: true })
  })

  it('says that it proves it in part where checks were left out', () => {
    const { lines, isSound } = verdictOf({ ...none, leftOut: ['visit: photo: no file is known'] })
    expect(isSound).toBe(true)
    expect(lines).toEqual([
      'Left out, and why:',
      'visit: photo: no file is known',
      'Proven except for what is left out above: visit',
    ])
  })

  it('says that it was not tried on records where none could be made, and is no failure', () => {
    const { lines, isSound } = verdictOf({
      ...none,
      names: ['visit', 'site'],
      leftOut: ['visit: changes: ess offers nothing'],
      unmade: ['visit: ess offers nothing'],
    })
    expect(isSound).toBe(true)
    expect(lines.slice(2)).toEqual([
      'Proven: site',
      'Not tried on records: visit: none could be made: ess offers nothing; all else held',
    ])
  })

  it('does not prove it where a check failed', () => {
    const { lines, isSound } = verdictOf({ ...none, failed: ['visit'], unmade: ['visit: ess offers nothing'] })
    expect([lines.at(-1), isSound]).toEqual(['Not proven: visit: checks failed, see × above', false])
  })
})
