import { useMemo, useState, useSyncExternalStore } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { factsOf } from '#resources/fleet/channel-of.ts'
import { hourMs } from '#schema/format/durations.ts'
import { unitStep } from '#schema/format/units.ts'
import type { SummaryCharts } from '#schema/wire/summary.ts'
import { intlOf, type Label } from '#schema/words.ts'
import { lineColors } from '#ui/chart/chart-colors.ts'
import type { ChartSeries } from '#ui/chart/chart-types.ts'
import { CursorStore } from '#ui/chart/cursor-store.ts'
import { TimeChart } from '#ui/chart/time-chart.tsx'
import { useTheme } from '#ui/theme/theme.ts'
import { useChartTexts } from './chart-texts.ts'
import { chartWords } from './chart-words.ts'
import { powerChannels } from './power-channels.ts'
import { powerText } from './power-text.ts'

type Hour = SummaryCharts['power'][number]
/** As in the flow diagram and the lists: a power has one colour. */
const colors = { pvPowerW: 'amber', loadPowerW: 'violet', batteryPowerW: 'green', gridPowerW: 'blue' } as const
const nothing = () => undefined

/** All lines in one unit: that of the largest value. */
function linesOf(hours: readonly Hour[]): { series: ChartSeries[]; divide: number; symbol: Label } {
  const largest = Math.max(0, ...hours.flatMap((hour) => powerChannels.map((name) => Math.abs(hour[name] ?? 0))))
  const { divide, symbol } = unitStep('W', largest)
  const series = powerChannels.map((key) => ({
    key,
    color: colors[key],
    values: hours.map((hour) => (hour[key] === null ? null : hour[key] / divide)),
  }))
  return { series, divide, symbol }
}

/** Power lines of the fleet over a day, with the values at the cursor. */
export function PowerLines({ hours }: { hours: readonly Hour[] }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const { theme } = useTheme()
  const [cursor] = useState(() => new CursorStore())
  const at = useSyncExternalStore(cursor.subscribe, () => cursor.at)
  const { series, symbol } = useMemo(() => linesOf(hours), [hours])
  const times = useMemo(() => hours.map((hour) => hour.at), [hours])
  const textAt = (index: number) => {
    const hour = hours[index]
    if (!hour) return ''
    const parts = powerChannels.map((name) => `${sayLabel(factsOf(name).label)}: ${powerText(hour, name, { sayLabel, texts })}`)
    return [texts.hour(hour.at), ...parts].join('; ')
  }
  const index = at === undefined ? -1 : times.indexOf(at)
  const window = { fromMs: times[0] ?? 0, toMs: Math.max(times.at(-1) ?? 0, (times[0] ?? 0) + hourMs) }
  return (
    <div className="dash-power">
      <p className="dash-legend">
        <span className="dash-unit">{sayLabel(symbol)}</span>
        {powerChannels.map((name) => (
          <span key={name} className="dash-key">
            <span className="dash-key-line" style={{ background: lineColors[theme][colors[name]] }} />
            {sayLabel(factsOf(name).label)}
          </span>
        ))}
      </p>
      <TimeChart
        {...{ times, series, window, cursor, textAt }}
        label={sayLabel(chartWords.power)}
        stepMs={hourMs}
        kind="line"
        hasZero
        locale={intlOf(texts.language)}
        zone={texts.zone}
        heightPx={210}
        onSelect={nothing}
        onReset={nothing}
        onPick={nothing}
      />
      <p className="columns-text">{index >= 0 ? textAt(index) : sayLabel(chartWords.powerNote)}</p>
    </div>
  )
}
