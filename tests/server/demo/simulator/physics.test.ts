import { describe, expect, it } from 'vitest'
import { operationOf } from '#server/demo/simulator/operation.ts'
import { plantOf } from '#server/demo/simulator/plant.ts'
import { type Checkpoint, RunningPlant, type Seen } from '#server/demo/simulator/running-plant.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { dayNumber, home, minutesOf, seasons, warehouse } from './plants.ts'

const runs = [home, warehouse].flatMap((site) =>
  Object.entries(seasons).map(([season, from]) => ({ name: `${site.profile} in ${season}`, site, from })),
)
const number = (seen: Seen, name: keyof Seen['readings']) => Number(seen.readings[name])
const worst = (minutes: readonly Seen[], measure: (seen: Seen) => number) => Math.max(...minutes.map(measure))
const counters = [
  'chargeEnergyWh',
  'dischargeEnergyWh',
  'pvEnergyWh',
  'loadEnergyWh',
  'gridImportEnergyWh',
  'gridExportEnergyWh',
  'cycleCount',
] as const

describe.each(runs)('a week of $name', ({ site, from }) => {
  const minutes = minutesOf({ site, from, days: 7 })
  const plant = plantOf(site)

  it('keeps the balance of power to a watt', () => {
    const gap = ({ minute: { loadW, pvW, batteryW, gridW } }: Seen) => Math.abs(loadW - pvW - batteryW - gridW)
    expect(worst(minutes, gap)).toBeLessThanOrEqual(1)
  })

  it('gives volts times amperes as the power behind the converter, to 1 %', () => {
    const loaded = minutes.filter(({ minute }) => Math.abs(minute.dcW) > 0.01 * plant.dischargeW)
    expect(loaded.length).toBeGreaterThan(1_000)
    expect(worst(loaded, ({ minute: { volts, amperes, dcW } }) => Math.abs((volts * amperes) / dcW - 1))).toBeLessThan(0.01)
  })

  it('charges by what flows: the current of a day is the change of its charge, to 0.5 %', () => {
    for (let day = 0; day < 7; day++) {
      const part = minutes.slice(day * 1_440, (day + 1) * 1_440)
      const [first, last] = [part[0], part.at(-1)]
      if (!first || !last) throw new Error('no minutes')
      const ah = part.slice(1).reduce((sum, { minute: { amperes } }) => sum + (amperes * (amperes < 0 ? 0.995 : 1)) / 60, 0)
      const throughAh = part.reduce((sum, { minute: { amperes } }) => sum + Math.abs(amperes) / 60, 0)
      const byChargeAh = ((first.state.socPct - last.state.socPct) / 100) * plant.capacityAh * (first.state.sohPct / 100)
      expect(Math.abs(ah - byChargeAh)).toBeLessThanOrEqual(0.005 * Math.max(throughAh, 1))
    }
  })

  it('never lets a counter fall, a charge leave 0 to 100 %, nor a mean leave its extremes', () => {
    for (const name of counters) {
      const falls = minutes.filter((seen, index) => index > 0 && number(seen, name) < number(minutes[index - 1] ?? seen, name))
      expect(falls).toEqual([])
    }
    const faults = minutes.filter(
      (seen) =>
        seen.state.socPct < 0 ||
        seen.state.socPct > 100 ||
        number(seen, 'cellVoltageMinMv') > number(seen, 'cellVoltageAvgMv') ||
        number(seen, 'cellVoltageAvgMv') > number(seen, 'cellVoltageMaxMv') ||
        number(seen, 'cellTempMinC') > number(seen, 'cellTempAvgC') ||
        number(seen, 'cellTempAvgC') > number(seen, 'cellTempMaxC'),
    )
    expect(faults).toEqual([])
  })

  it('stays where a healthy battery stays', () => {
    expect(worst(minutes, (seen) => number(seen, 'cellVoltageMaxMv'))).toBeLessThan(3_560)
    expect(worst(minutes, (seen) => -number(seen, 'cellVoltageMinMv'))).toBeLessThan(-3_050)
    expect(worst(minutes, ({ state }) => state.tempC)).toBeLessThan(30)
    expect(worst(minutes, ({ minute: { amperes } }) => Math.abs(amperes))).toBeLessThan(site === home ? 110 : 145)
  })

  it('gives back 85 to 92 % of what it took', () => {
    const [first, last] = [minutes[0], minutes.at(-1)]
    if (!first || !last) throw new Error('no minutes')
    const grown = (name: (typeof counters)[number]) => number(last, name) - number(first, name)
    const leftWh = ((last.state.socPct - first.state.socPct) / 100) * plant.energyWh
    const share = grown('dischargeEnergyWh') / (grown('chargeEnergyWh') - leftWh / 0.94)
    expect(share).toBeGreaterThan(0.85)
    expect(share).toBeLessThan(0.92)
  })

  it('is believed by the decoder: no frame of it is doubted', () => {
    let memory = {}
    const doubts = minutes.slice(0, 2_880).flatMap((seen, seq) => {
      const time = new Date(seen.timeMs)
      const bytes = encodeFrame({ type: 'TELEMETRY', seq, uid: '0011AABBCCDD', time, values: seen.readings })
      const decoded = referenceDecoder.decode(bytes, { receivedAt: time, uid: '0011AABBCCDD', site, memory })
      memory = decoded.memory
      return decoded.reasons
    })
    expect(doubts).toEqual([])
  })
})

describe('a simulation', () => {
  const operationAt = () => operationOf({ operatingMode: 'SELF_CONSUMPTION' })
  const plant = plantOf(home)
  const bytesOf = ({ timeMs, readings }: Seen) =>
    encodeFrame({ type: 'TELEMETRY', seq: 1, uid: '0011AABBCCDD', time: new Date(timeMs), values: readings }).toString('hex')

  it('gives the same bytes for the same seed, from the first day or from a later checkpoint', () => {
    const checkpoints: Checkpoint[] = []
    const whole = new RunningPlant(plant, RunningPlant.firstCheckpoint(plant, dayNumber('2026-06-15')))
    const end = (dayNumber('2026-06-18') * 24 + 13) * 3_600_000
    const once = bytesOf(whole.runTo(end, { operationAt, faults: [] }, (checkpoint) => checkpoints.push(checkpoint)))
    const [, second] = checkpoints
    if (!second) throw new Error('no checkpoint')
    const kept: Checkpoint = JSON.parse(JSON.stringify(second))
    expect(kept.day).toBe(dayNumber('2026-06-17'))
    expect(bytesOf(new RunningPlant(plant, kept).runTo(end, { operationAt, faults: [] }))).toBe(once)
  })

  it('is another one for another code', () => {
    const other = plantOf({ ...home, code: 'ESS-000143' })
    const end = (dayNumber('2026-06-15') * 24 + 12) * 3_600_000
    const run = (one: typeof plant) =>
      new RunningPlant(one, RunningPlant.firstCheckpoint(one, dayNumber('2026-06-15'))).runTo(end, { operationAt, faults: [] })
    expect(run(other).minute.loadW).not.toBe(run(plant).minute.loadW)
  })

  it('draws no more of the sun in winter, and nothing at night', () => {
    const energy = (from: string) =>
      minutesOf({ site: home, from, days: 3 }).reduce((sum, { minute }) => sum + minute.pvW / 60, 0)
    expect(energy(seasons.summer)).toBeGreaterThan(4 * energy(seasons.winter))
    const night = minutesOf({ site: home, from: seasons.summer, days: 1 }).filter(
      ({ timeMs }) => new Date(timeMs).getUTCHours() === 22,
    )
    expect(worst(night, ({ minute }) => minute.pvW)).toBe(0)
  })
})
