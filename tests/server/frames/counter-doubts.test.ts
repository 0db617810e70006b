import { describe, expect, it } from 'vitest'
import type { SiteFacts } from '#server/frames/site-facts.ts'
import { codesOf, decodeAll, home, noon, type TelemetryValues, telemetryFrame } from './sample-frames.ts'

const at = (minutes: number) => new Date(noon.getTime() + minutes * 60_000)

type Counted = readonly (readonly [minutes: number, loadEnergyWh: number | null])[]

/** Counter values that are kept, and the frames whose values are doubted. */
const judged = (counted: Counted, others: TelemetryValues = {}) => {
  const frames = counted.map(([minutes, loadEnergyWh], seq) =>
    telemetryFrame({ ...others, loadEnergyWh }, { seq, time: at(minutes) }),
  )
  const decoded = decodeAll(frames, { receivedAt: at(counted.at(-1)?.[0] ?? 0) })
  return {
    values: decoded.map(({ sample }) => sample?.values.loadEnergyWh),
    doubted: decoded.flatMap((frame, index) => (codesOf(frame).includes('INCONSISTENT') ? [index] : [])),
  }
}
const everyMinute = (...values: (number | null)[]): Counted => values.map((value, minutes) => [minutes, value])

describe('a counter', () => {
  it('that reads 0 for two samples and is back is doubted there, and nowhere else', () => {
    expect(judged(everyMinute(1_000_020, 0, 0, 1_000_050, 1_000_060))).toEqual({
      values: [1_000_020, null, null, 1_000_050, 1_000_060],
      doubted: [1, 2],
    })
  })

  it('is known again after a glitch in which it counted', () => {
    expect(judged(everyMinute(1_000_020, 0, 5, 1_000_050, 1_000_060)).values).toEqual([
      1_000_020,
      null,
      5,
      1_000_050,
      1_000_060,
    ])
  })

  it('that was reset is followed once it counts on from there', () => {
    expect(judged(everyMinute(5_000, 0, 0, 10, 20))).toEqual({ values: [5_000, null, null, 10, 20], doubted: [1, 2] })
  })

  const restarted = (...values: number[]) => {
    const frames = [5_000, ...values].map((loadEnergyWh, seq) =>
      telemetryFrame({ loadEnergyWh, rebootCount: seq === 0 ? 3 : 4 }, { seq, time: at(seq) }),
    )
    return decodeAll(frames, { receivedAt: at(60) }).map(({ sample }) => sample?.values.loadEnergyWh)
  }

  it('that starts over with a restart of the board is followed at once', () => {
    expect(restarted(5, 15, 25)).toEqual([5_000, 5, 15, 25])
  })

  it('that reads 0 for a while after a restart, and is back, is doubted there', () => {
    expect(restarted(0, 0, 5_020)).toEqual([5_000, null, null, 5_020])
  })

  it('that reads after a restart what it cannot have counted since is doubted', () => {
    expect(restarted(4_000, 5_010)).toEqual([5_000, null, 5_010])
  })

  it('that was reset and stands still is believed after ten minutes', () => {
    const { doubted } = judged(everyMinute(5_000, ...Array.from({ length: 15 }, () => 0)))
    expect(doubted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('that grows faster than the site can use energy is doubted, and goes on from before', () => {
    expect(judged(everyMinute(1_000, 9_000_000, 1_040, 1_050))).toEqual({ values: [1_000, null, 1_040, 1_050], doubted: [1] })
  })

  it('that was exchanged for one with another reading is followed once it counts on from there', () => {
    expect(judged(everyMinute(1_000, 9_000_000, 9_000_010, 9_000_020))).toEqual({
      values: [1_000, null, 9_000_010, 9_000_020],
      doubted: [1],
    })
  })

  it('may grow in one step by what a meter counts in, and over a silence by what the site can use in it', () => {
    expect(judged(everyMinute(1_000, 2_000, 2_000, 3_000)).doubted).toEqual([])
    expect(
      judged([
        [0, 1_000],
        [8 * 24 * 60, 4_000_000],
      ]).doubted,
    ).toEqual([])
    expect(
      judged([
        [0, 1_000],
        [60, 60_000],
      ]).doubted,
    ).toEqual([1])
  })

  it('that is not in every frame is judged by the last one that had it', () => {
    expect(judged(everyMinute(5_000, null, null, 4_000, null, 5_030)).doubted).toEqual([3])
  })

  it('of full cycles is bounded, too', () => {
    const frames = [412.37, 900, 412.38].map((cycleCount, seq) => telemetryFrame({ cycleCount }, { seq, time: at(seq) }))
    expect(decodeAll(frames, { receivedAt: at(3) }).map(({ sample }) => sample?.values.cycleCount)).toEqual([
      412.37,
      null,
      412.38,
    ])
  })
})

describe('a counter of a site that states no connection', () => {
  const unstated = { ...home, pvPeakPowerW: null, gridConnectionLimitW: null }
  const large = { ...unstated, profile: 'COMMERCIAL', ratedChargePowerW: 5_000_000, ratedDischargePowerW: 5_000_000 }
  const doubtedOf = (site: SiteFacts, channel: 'gridImportEnergyWh' | 'loadEnergyWh', growthWh: number) => {
    const frames = [0, growthWh].map((wh, seq) => telemetryFrame({ [channel]: 1_000_000 + wh }, { seq, time: at(5 * seq) }))
    const decoded = decodeAll(frames, { receivedAt: at(10), site })
    return decoded.some((frame) => codesOf(frame).includes('INCONSISTENT'))
  }

  it.each(['gridImportEnergyWh', 'loadEnergyWh'] as const)('is bounded by what is usual for its profile (%s)', (channel) => {
    // A home takes 43.47 kW from its grid, and as much from its panels: 5.4 kWh and more in five minutes.
    expect([500_000, 20_000, 5_000].map((wh) => doubtedOf(unstated, channel, wh))).toEqual([true, true, false])
  })

  it('is not bounded below what its battery needs, nor below what it states', () => {
    expect(doubtedOf(large, 'gridImportEnergyWh', 417_000)).toBe(false)
    expect(doubtedOf({ ...unstated, gridConnectionLimitW: 500_000 }, 'gridImportEnergyWh', 42_000)).toBe(false)
    expect(doubtedOf({ ...unstated, gridConnectionLimitW: 11_000 }, 'gridImportEnergyWh', 5_000)).toBe(true)
  })
})
