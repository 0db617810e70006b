import { describe, expect, it } from 'vitest'
import { chartChannels as serverChannels } from '#server/fleet/telemetry/sample-columns.ts'
import { bandText, channelText } from '#widgets/telemetry/channel-text.ts'
import { readState, soundWindow, writeState } from '#widgets/telemetry/chart-state.ts'
import { momentText } from '#widgets/telemetry/moment-text.ts'
import { inUnit, lanesOfPanel, seriesOfPanel, unitOfPanel } from '#widgets/telemetry/panel/panel-data.ts'
import { chartChannels, type Panel, panels, panelsOf, usualChannels } from '#widgets/telemetry/panel/panels.ts'
import { hasData, indexOf, lastIndex, type SeriesData, seriesData, withTail } from '#widgets/telemetry/panel/series-data.ts'
import { tableRows } from '#widgets/telemetry/table-rows.ts'

const minute = 60_000
const panelOf = (key: string): Panel => {
  const found = panels.find((panel) => panel.key === key)
  if (!found) throw new Error(`no panel ${key}`)
  return found
}
const plain = (text: string) => text.replaceAll('\u00a0', ' ')

/** Series of a step of a minute from minute `from` on. */
function data(from: number, channels: Record<string, (number | string | null)[]>): SeriesData {
  const series = Object.fromEntries(
    Object.entries(channels).map(([name, avg]) => {
      const t = avg.map((_, index) => (from + index) * minute)
      const band = avg.map((value) => (typeof value === 'number' ? value : null))
      return [name, { unit: null, kind: 'mean', t, avg, min: band, max: band }]
    }),
  )
  const length = Object.values(channels)[0]?.length ?? 0
  const answer = { from: from * minute, to: (from + length) * minute, bucketMs: minute, zone: 'Europe/Moscow', series }
  const read = seriesData(answer)
  if (!read) throw new Error('no series')
  return read
}

describe('the address of the charts', () => {
  const read = (query: string) => readState(new URLSearchParams(query))

  it('holds everything that can be chosen, there and back', () => {
    const query =
      'range=7d&from=2026-03-02T10%3A00%3A00Z&to=2026-03-02T12%3A00%3A00Z&channels=socPct%2CgridPowerW&zone=utc&table=1&at=2026-03-02T11%3A00%3A00Z'
    const state = read(query)
    expect(state).toMatchObject({ range: '7d', zone: 'utc', hasTable: true, atMs: Date.parse('2026-03-02T11:00:00Z') })
    expect(read(writeState(state).toString())).toEqual(state)
  })

  it('is empty while nothing was chosen, and takes no harm from nonsense', () => {
    expect(writeState(read('')).toString()).toBe('')
    expect(read('range=forever&zone=mars&channels=nonsense&from=yesterday&at=x')).toEqual(read(''))
    expect(read('from=2026-03-02T12:00:00Z&to=2026-03-02T10:00:00Z').window).toBeUndefined()
  })

  it('keeps a window to what can be asked for', () => {
    const now = 1_000 * minute
    expect(soundWindow({ fromMs: 900 * minute, toMs: 900 * minute + 10 }, now)).toEqual({
      fromMs: 897 * minute + 30_000,
      toMs: 902 * minute + 30_000,
    })
    expect(soundWindow({ fromMs: 990 * minute, toMs: 1_050 * minute }, now)).toEqual({ fromMs: 940 * minute, toMs: now })
  })
})

describe('the panels', () => {
  it('show every channel that the server has for charts, once', () => {
    expect(chartChannels.toSorted()).toEqual(serverChannels.map(({ name }) => name).toSorted())
    expect(new Set(chartChannels).size).toBe(chartChannels.length)
  })

  it('have one unit each, and only those with a chosen channel are shown', () => {
    expect(usualChannels.every((name) => chartChannels.includes(name))).toBe(true)
    expect(panelsOf(['socPct', 'gridPowerW']).map(({ key, lines }) => [key, lines.length])).toEqual([
      ['power', 1],
      ['charge', 1],
    ])
  })

  it('are drawn in the step of the unit that is read best', () => {
    const power = panelsOf(['loadPowerW'])[0] ?? panelOf('power')
    const series = seriesOfPanel(power, data(0, { loadPowerW: [500, 2_500, null] }))
    const unit = unitOfPanel(power, series)
    expect(unit.symbol?.[0]).toBe('kW')
    expect(inUnit(series, unit.divide)[0]?.values).toEqual([0.5, 2.5, null])
  })

  it('have a band only where a step holds more than one value', () => {
    const flat = data(0, { socPct: [50, 51] })
    expect(seriesOfPanel(panelOf('charge'), flat)[0]?.low).toBeUndefined()
    const rolled = { ...flat, channels: { socPct: { avg: [50, 51], min: [49, 51], max: [52, 51] } } }
    expect(seriesOfPanel(panelOf('charge'), rolled)[0]).toMatchObject({ low: [49, 51], high: [52, 51] })
  })

  it('draw a limit on the side of zero that it limits', () => {
    const panel = panelsOf(['chargeCurrentLimitA'])[0] ?? panelOf('current')
    expect(seriesOfPanel(panel, data(0, { chargeCurrentLimitA: [98.5] }))[0]?.values).toEqual([-98.5])
  })

  it('draw states as stretches with their words, and nothing where none is known', () => {
    const values = data(0, { chargeState: ['CHARGING', 'CHARGING', null, 'FULL'], eventFlags: [0, 2 ** 23, 2 ** 23, 0] })
    const lanes = lanesOfPanel(panelOf('states'), values, 'ru')
    const spans = (key: string) => lanes.find((lane) => lane.key === key)?.spans
    expect(spans('chargeState')).toEqual([
      { fromMs: 0, toMs: 2 * minute, text: 'Заряд', color: 'green' },
      { fromMs: 3 * minute, toMs: 4 * minute, text: 'Заряжена', color: 'teal' },
    ])
    expect(spans('eventFlags')).toEqual([{ fromMs: minute, toMs: 3 * minute, text: 'Открыта дверь', color: 'red' }])
    expect(spans('gridMode')).toEqual([])
  })
})

describe('new steps at the end', () => {
  const base = data(10, { socPct: [1, 2, 3, null] })

  it('take the place of those that they overlap, and push out the oldest', () => {
    const next = withTail(base, data(12, { socPct: [3.5, 4, 5] }), 11 * minute)
    expect(next?.times.map((at) => at / minute)).toEqual([11, 12, 13, 14])
    expect(next?.channels.socPct?.avg).toEqual([2, 3.5, 4, 5])
    expect(next?.toMs).toBe(15 * minute)
  })

  it('are refused when they do not follow, or have another width', () => {
    expect(withTail(base, data(20, { socPct: [9] }), 0)).toBeUndefined()
    expect(withTail(base, { ...data(12, { socPct: [9] }), stepMs: 5 * minute }, 0)).toBeUndefined()
  })

  it('are null where the end does not have a channel', () => {
    const both = data(10, { socPct: [1, 2], sohPct: [98, 98] })
    expect(withTail(both, data(11, { socPct: [3] }), 0)?.channels.sohPct?.avg).toEqual([98, null])
  })
})

describe('series', () => {
  it('know whether there is anything, and where the last of it is', () => {
    expect(hasData(data(0, { socPct: [null, null] }))).toBe(false)
    expect(lastIndex(data(0, { socPct: [1, 2, null] }))).toBe(1)
    expect(seriesData({ nonsense: true })).toBeUndefined()
  })

  it('find the step of a moment, and none for a moment outside', () => {
    const series = data(10, { socPct: [1, 2, 3] })
    expect(indexOf(series, 11.5 * minute)).toBe(1)
    expect([indexOf(series, 9 * minute), indexOf(series, 60 * minute)]).toEqual([undefined, undefined])
  })

  it('stand in a table newest first, with stretches without data as one row', () => {
    expect(tableRows(data(0, { socPct: [1, null, null, 4] }), ['socPct'])).toEqual([
      { kind: 'values', atMs: 3 * minute, values: [4], estimatedPct: [0] },
      { kind: 'gap', atMs: minute, toMs: 3 * minute },
      { kind: 'values', atMs: 0, values: [1], estimatedPct: [0] },
    ])
  })

  it('say how much of the growth of a counter is estimated, also at their end, and of nothing else', () => {
    const channels = { pvEnergyWh: [10, 20], socPct: [50, 60] }
    const base = { ...data(0, channels), estimatedPct: [0, 80] }
    expect(tableRows(base, ['pvEnergyWh', 'socPct'])).toMatchObject([{ estimatedPct: [80, 0] }, { estimatedPct: [0, 0] }])
    expect(withTail(base, { ...data(1, channels), estimatedPct: [40, 100] }, 0)?.estimatedPct).toEqual([0, 40, 100])
  })
})

describe('values in words', () => {
  it('never show a sign without its meaning', () => {
    expect(plain(channelText('batteryPowerW', -2_100, 'en'))).toBe('charging 2.10 kW')
    expect(plain(channelText('batteryPowerW', 2_100, 'ru'))).toBe('разряд 2,10 кВт')
    expect(plain(channelText('gridPowerW', 0, 'en'))).toBe('0 W')
    expect(channelText('socPct', null, 'en')).toBe('')
    expect(channelText('cellVoltageMinPos', 'm2/c03', 'en')).toBe('module 2, cell 3')
    expect(channelText('cellVoltageMaxPos', 'm1/c07', 'ru')).toBe('модуль 1, ячейка 7')
    expect(channelText('uptimeS', 93_784, 'en')).toBe('1 d 2 h')
  })

  it('tell a band by its size, and by the words where it goes over zero', () => {
    expect(plain(bandText('batteryPowerW', -3_000, -2_000, 'en'))).toBe('2.00 kW – 3.00 kW')
    expect(plain(bandText('batteryPowerW', -300, 200, 'en'))).toBe('charging 300 W – discharging 200 W')
    expect(plain(bandText('cellTempMinC', -4, 2.5, 'ru'))).toBe('-4,0 °C – 2,5 °C')
  })

  it('tell a step of a day as that day in the zone', () => {
    const midnight = Date.parse('2026-03-01T21:00:00Z')
    expect(momentText(midnight, 86_400_000, 'en', 'Europe/Moscow')).toBe('2 Mar 2026')
    expect(momentText(midnight, minute, 'en', 'Europe/Moscow')).toBe('2 Mar 2026, 00:00')
  })
})
