import { describe, expect, it } from 'vitest'
import { failuresAllowed, planWaves, usualWaves, wavesOf } from '#server/fleet/firmware/waves/plan-waves.ts'

const wave = (boards: number | null, sharePct: number | null) => ({
  boards,
  sharePct,
  soakMin: 60,
  successPct: 90,
  maxFailures: null,
})

describe('the waves of a rollout', () => {
  it.each([
    [usualWaves, 200, [1, 19, 180]],
    [usualWaves, 5, [1, 0, 4]],
    [usualWaves, 1, [1, 0, 0]],
    [[wave(3, null), wave(3, null), wave(null, 50), wave(null, 100)], 20, [3, 3, 4, 10]],
    [[wave(9, null), wave(null, 100)], 4, [4, 0]],
  ])('share the boards out, each of them once', (waves, boards, sizes) => {
    expect(planWaves(waves, boards)).toEqual(sizes)
  })

  it('are the usual ones where nobody wrote any, and have the usual limits where nobody set them', () => {
    expect(wavesOf(null)).toBe(usualWaves)
    expect(wavesOf([{ sharePct: 100, successPct: 50 }])).toEqual([{ ...wave(null, 100), successPct: 50 }])
  })

  it('pause at the first failure of the first wave, then at a tenth', () => {
    expect([1, 1, 2, 18].map((_, index) => failuresAllowed(wave(null, 100), index, [1, 19, 20, 180][index] ?? 0))).toEqual([
      1, 2, 2, 18,
    ])
    expect(failuresAllowed({ ...wave(null, 100), maxFailures: 4 }, 0, 1)).toBe(4)
  })
})
