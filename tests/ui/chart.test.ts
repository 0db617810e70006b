import { describe, expect, it, vi } from 'vitest'
import { faded, lineColors } from '#ui/chart/chart-colors.ts'
import { CursorStore } from '#ui/chart/cursor-store.ts'
import { gapSpans, lonePoints } from '#ui/chart/gap-spans.ts'
import { tickTexts } from '#ui/chart/time-ticks.ts'
import { palettes, type ThemeName } from '#ui/theme/tokens.ts'

const minute = 60_000
const hour = 60 * minute
const at = (iso: string) => Date.parse(iso)

describe('the time axis', () => {
  const moscow = { locale: 'en-GB', zone: 'Europe/Moscow' }
  const ticks = (from: string, stepMs: number, count: number) =>
    Array.from({ length: count }, (_, index) => at(from) + index * stepMs)

  it('tells the hour by the clock of the zone, and the day where it changes', () => {
    expect(tickTexts(ticks('2026-03-02T18:00:00Z', 2 * hour, 3), 2 * hour, moscow)).toEqual([
      '21:00\n2 Mar',
      '23:00',
      '01:00\n3 Mar',
    ])
  })

  it('tells days, and the year where it changes', () => {
    expect(tickTexts([at('2025-12-30T21:00Z'), at('2025-12-31T21:00Z')], 24 * hour, moscow)).toEqual([
      '31 Dec\n2025',
      '1 Jan\n2026',
    ])
  })

  it('tells months of a year, and seconds where these are far enough apart', () => {
    expect(
      tickTexts([at('2026-01-31T21:00Z'), at('2026-02-28T21:00Z')], 28 * 24 * hour, { ...moscow, locale: 'ru-RU' }),
    ).toEqual(['февр.\n2026', 'март'])
    expect(tickTexts([at('2026-03-02T18:00:30Z')], 30_000, moscow)).toEqual(['21:00:30\n2 Mar'])
  })
})

describe('gaps', () => {
  const times = [0, 1, 2, 3, 4, 5].map((step) => step * minute)

  it('are stretches of two steps or more without any value, the edges included', () => {
    expect(gapSpans(times, [[null, null, 1, null, null, null]], minute)).toEqual([
      { fromMs: 0, toMs: 2 * minute },
      { fromMs: 3 * minute, toMs: 6 * minute },
    ])
    expect(gapSpans(times, [[1, null, 1, 1, 1, 1]], minute)).toEqual([])
    expect(
      gapSpans(
        times,
        [
          [1, null, null, 1, 1, 1],
          [1, 1, 1, 1, 1, 1],
        ],
        minute,
      ),
    ).toEqual([])
  })

  it('leave values that no line would show: these are drawn as points', () => {
    expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5])
  })
})

describe('the cursor of several charts', () => {
  it('tells each move once, and rests where it was pinned', () => {
    const cursor = new CursorStore()
    const heard = vi.fn()
    const stop = cursor.subscribe(heard)
    cursor.pin(5)
    cursor.point(7)
    cursor.point(7)
    expect(cursor.at).toBe(7)
    cursor.point(undefined)
    expect(cursor.at).toBe(5)
    expect(heard).toHaveBeenCalledTimes(3)
    stop()
    cursor.point(9)
    expect(heard).toHaveBeenCalledTimes(3)
  })
})

describe('the colours of lines', () => {
  const luminance = (hex: string) => {
    const [red = 0, green = 0, blue = 0] = (hex.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => {
      const share = Number.parseInt(pair, 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const contrast = (one: string, other: string) => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }

  it.each<ThemeName>(['light', 'dark'])('stand out from the surface by 3 : 1 in the %s look', (theme) => {
    const faint = Object.entries(lineColors[theme]).filter(([, color]) => contrast(color, palettes[theme].surface) < 3)
    expect(faint).toEqual([])
  })

  it('can be let through', () => {
    expect(faded('#2466c4', 0.5)).toBe('#2466c480')
  })
})
