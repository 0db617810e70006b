import { useConsole, useSay } from '#fields/definitions.tsx'
import { fill } from '#fields/words.ts'
import { type Channel, factsOf, isChannel } from '#resources/fleet/channel-facts.ts'
import type { Label, Language } from '#schema/words.ts'
import { Sparkline } from '#ui/chart/sparkline.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import type { LastTelemetry } from '#widgets/energy/last-telemetry.ts'
import type { Series, SeriesByName } from '#widgets/energy/series.ts'
import { useSeries } from '#widgets/energy/use-series.ts'
import { channelText } from '#widgets/telemetry/channel-text.ts'
import { boardWords } from './board-words.ts'
import { isOutside, type NormalRange, normalRange } from './normal-range.ts'

const hourMs = 3_600_000

const groups: readonly (readonly [Label, readonly Channel[]])[] = [
  [boardWords.energy, ['pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW', 'socPct', 'energyAvailableWh']],
  [
    boardWords.battery,
    [
      'batteryVoltageV',
      'batteryCurrentA',
      'chargeCurrentLimitA',
      'dischargeCurrentLimitA',
      'sohPct',
      'chargeState',
      'bankState',
    ],
  ],
  [
    boardWords.cells,
    [
      'cellVoltageMinMv',
      'cellVoltageAvgMv',
      'cellVoltageMaxMv',
      'cellDeltaMv',
      'cellVoltageMinPos',
      'cellVoltageMaxPos',
      'cellTempMinC',
      'cellTempAvgC',
      'cellTempMaxC',
    ],
  ],
  [boardWords.grid, ['gridVoltageL1V', 'gridVoltageL2V', 'gridVoltageL3V', 'gridFrequencyHz', 'gridMode']],
  [boardWords.board, ['mosfetTempC', 'boardTempC', 'ambientTempC', 'supplyMv', 'rssiDbm', 'uptimeS', 'eventFlags']],
  [
    boardWords.counters,
    [
      'pvEnergyWh',
      'loadEnergyWh',
      'gridImportEnergyWh',
      'gridExportEnergyWh',
      'chargeEnergyWh',
      'dischargeEnergyWh',
      'cycleCount',
    ],
  ],
]

/** Channels whose course over an hour says something; counters only grow, and words have no course. */
const drawn: readonly Channel[] = groups
  .slice(0, 5)
  .flatMap(([, names]) => names)
  .filter((name) => factsOf(name).unit !== undefined && name !== 'uptimeS')

/** Every value of the newest sample with its course, what would be normal, and whether it can be trusted. */
export function LiveValues({ last, controlPcbId }: { last: LastTelemetry; controlPcbId: string }) {
  const sayLabel = useSay()
  const series = useSeries({ of: { controlPcbId }, channels: drawn, spanMs: hourMs })
  return (
    <table className="board-values">
      <caption className="ui-hidden">{sayLabel(boardWords.values)}</caption>
      <thead>
        <tr>
          {[boardWords.channel, boardWords.value, boardWords.hour, boardWords.range, boardWords.quality1].map((label) => (
            <th key={label[0]} scope="col">
              {sayLabel(label)}
            </th>
          ))}
        </tr>
      </thead>
      {groups.map(([label, names]) => (
        <Group key={label[0]} {...{ label, names, last, series }} />
      ))}
    </table>
  )
}

type GroupProps = { label: Label; names: readonly Channel[]; last: LastTelemetry; series: SeriesByName | undefined }

function Group({ label, names, last, series }: GroupProps) {
  const sayLabel = useSay()
  return (
    <tbody>
      <tr className="board-values-group">
        <th scope="rowgroup" colSpan={5}>
          {sayLabel(label)}
        </th>
      </tr>
      {names.map((name) => (
        <ValueRow key={name} name={name} last={last} series={series?.[name]} />
      ))}
    </tbody>
  )
}

const exact = { exact: true }

function rangeText(name: Channel, { low, high }: NormalRange, language: Language): string {
  const [from, to] = [low, high].map((bound) => (bound === null ? undefined : channelText(name, bound, language, exact)))
  const index = language === 'ru' ? 1 : 0
  if (from === undefined) return fill(boardWords.atMost[index], { high: to ?? '' })
  return to === undefined ? fill(boardWords.atLeast[index], { low: from }) : `${from} … ${to}`
}

function ValueRow({ name, last, series }: { name: Channel; last: LastTelemetry; series: Series | undefined }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const measured = last.channels[name]
  const value = measured?.value ?? null
  const quality = measured?.quality ?? 'MISSING'
  const range = normalRange(name, last)
  const isWrong = typeof value === 'number' && range !== undefined && isOutside(value, range)
  return (
    <tr>
      <th scope="row">{sayLabel(factsOf(name).label)}</th>
      <td>
        {channelText(name, value, language) || '–'}
        {isWrong && <Tag tone="warn">{sayLabel(boardWords.outside)}</Tag>}
      </td>
      <td>{series && <HourLine name={name} series={series} />}</td>
      <td>{range && rangeText(name, range, language)}</td>
      <td>{isQuality(quality) && <span className={`board-${quality.toLowerCase()}`}>{sayLabel(boardWords[quality])}</span>}</td>
    </tr>
  )
}

const isQuality = (quality: string): quality is 'GOOD' | 'DOUBTED' | 'MISSING' =>
  quality === 'GOOD' || quality === 'DOUBTED' || quality === 'MISSING'

function HourLine({ name, series }: { name: Channel; series: Series }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const known = series.avg.filter((value) => value !== null)
  const text = (value: number) => (isChannel(name) ? channelText(name, value, language) : String(value))
  const facts = { name: sayLabel(factsOf(name).label) }
  const label =
    known.length === 0
      ? fill(sayLabel(boardWords.hourEmpty), facts)
      : fill(sayLabel(boardWords.hourText), { ...facts, low: text(Math.min(...known)), high: text(Math.max(...known)) })
  return <Sparkline label={label} series={[{ values: series.avg, color: 'var(--ui-accent)' }]} />
}
