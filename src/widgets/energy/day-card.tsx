import { useConsole, useSay } from '#fields/definitions.tsx'
import { fieldText } from '#fields/field-text.ts'
import { presentMs } from '#schema/format/present-time.ts'
import type { Label, Language } from '#schema/words.ts'
import { Sparkline } from '#ui/chart/sparkline.tsx'
import { channelText } from '#widgets/telemetry/channel-text.ts'
import { energyWords } from './energy-words.ts'
import { type Day, dayChannels, dayOf, daySpanMs, midnightMs } from './figures.ts'
import type { SeriesByName } from './series.ts'
import { useSeries } from './use-series.ts'

const powers = ['pvPowerW', 'loadPowerW'] as const
const channels = [...powers, ...dayChannels]

const energyText = (value: number | null, language: Language) =>
  value === null ? '–' : fieldText({ type: 'quantity', unit: 'Wh', label: energyWords.today }, value, { language })

const shownOf = ({ pvWh, loadWh, importWh, exportWh, selfPct }: Day, language: Language): [Label, string][] => [
  [energyWords.pv, energyText(pvWh, language)],
  [energyWords.load, energyText(loadWh, language)],
  [energyWords.imported, energyText(importWh, language)],
  [energyWords.exported, energyText(exportWh, language)],
  [
    energyWords.self,
    selfPct === null ? '–' : fieldText({ type: 'percent', digits: 0, label: energyWords.self }, selfPct, { language }),
  ],
]

/** Energy of a site since local midnight, and the trend of its last 24 hours. */
export function DayCard({ essId, zone }: { essId: string; zone: string | undefined }) {
  const spanMs = (toMs: number) => daySpanMs(zone, toMs)
  const series = useSeries({ of: { essId }, channels, spanMs })
  if (!series) return <DayComing />
  return (
    <div className="energy-day">
      <DayFigures day={dayOf(series, midnightMs(zone, presentMs()))} />
      <DayLine series={series} />
    </div>
  )
}

const comingSeries: SeriesByName = { loadPowerW: { t: [0], avg: [0] } }

/** As high as the card while its series is on its way. */
export const DayComing = () => (
  <div className="energy-day energy-coming" aria-hidden="true">
    <DayFigures day={dayOf(comingSeries, 0)} />
    <DayLine series={comingSeries} />
  </div>
)

/** Energy of a site today as figures. */
export function DayFigures({ day }: { day: Day }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  return (
    <>
      <h3>{sayLabel(energyWords.today)}</h3>
      <dl className="energy-facts">
        {shownOf(day, language).map(([label, text]) => (
          <div key={label[0]}>
            <dt>{sayLabel(label)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const highest = (series: SeriesByName, name: string) =>
  (series[name]?.avg ?? []).reduce<number | null>(
    (most, value) => (value === null ? most : Math.max(most ?? value, value)),
    null,
  )

function DayLine({ series }: { series: SeriesByName }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const [pv, load] = powers.map((name) => highest(series, name))
  if (load == null) return <p className="energy-note">{sayLabel(energyWords.noSeries)}</p>
  const label = sayLabel(energyWords.last24hText, {
    pv: channelText('pvPowerW', pv ?? 0, language),
    load: channelText('loadPowerW', load, language),
  })
  return (
    <figure className="energy-line24">
      <Sparkline
        label={label}
        fromZero
        series={[
          { values: series.pvPowerW?.avg ?? [], color: 'var(--ui-warn-solid)', filled: true },
          { values: series.loadPowerW?.avg ?? [], color: 'var(--ui-accent)' },
        ]}
      />
      <figcaption>
        <span>{sayLabel(energyWords.last24h)}</span>
        <span className="energy-key energy-key-pv">{sayLabel(energyWords.pv)}</span>
        <span className="energy-key energy-key-load">{sayLabel(energyWords.load)}</span>
      </figcaption>
    </figure>
  )
}
