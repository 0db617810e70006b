import { useConsole, useSay } from '#fields/definitions.tsx'
import { type Channel, channelNames, factsOf, isChannel } from '#resources/fleet/channel-of.ts'
import { type ChannelGroup, channelGroups } from '#resources/fleet/channel-panels.ts'
import { hourMs } from '#schema/format/durations.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import { Sparkline } from '#ui/chart/sparkline.tsx'
import { Tag } from '#ui/feedback/tag.tsx'
import type { LastTelemetry, NormalRange } from '#widgets/energy/last-telemetry.ts'
import type { Series, SeriesByName } from '#widgets/energy/series.ts'
import { useSeries } from '#widgets/energy/use-series.ts'
import { channelText } from '#widgets/telemetry/channel-text.ts'
import { boardWords } from './board-words.ts'
import { isOutside, normalRange } from './normal-range.ts'

const isGroup = (key: string): key is ChannelGroup => Object.hasOwn(channelGroups, key)

const groups = Object.keys(channelGroups)
  .filter(isGroup)
  .map((key) => ({ key, names: channelNames.filter((name) => factsOf(name).group === key) }))

/** Channels with a meaningful trend over an hour: no counters, states or durations. */
const drawn = channelNames.filter((name) => factsOf(name).rollUp === 'mean' && factsOf(name).unit !== 's')

/** All values of the newest sample with trend, normal range and quality. */
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
      {groups.map(({ key, names }) => (
        <Group key={key} label={channelGroups[key]} {...{ names, last, series }} />
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
  if (from === undefined) return say(boardWords.atMost, language, { high: to ?? '' })
  return to === undefined ? say(boardWords.atLeast, language, { low: from }) : `${from} … ${to}`
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

const isQuality = (quality: string): quality is 'GOOD' | 'DOUBTED' | 'MISSING' | 'ESTIMATED' =>
  ['GOOD', 'DOUBTED', 'MISSING', 'ESTIMATED'].includes(quality)

function HourLine({ name, series }: { name: Channel; series: Series }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const known = series.avg.filter((value) => value !== null)
  const text = (value: number) => (isChannel(name) ? channelText(name, value, language) : String(value))
  const facts = { name: sayLabel(factsOf(name).label) }
  const label =
    known.length === 0
      ? sayLabel(boardWords.hourEmpty, facts)
      : sayLabel(boardWords.hourText, { ...facts, low: text(Math.min(...known)), high: text(Math.max(...known)) })
  return <Sparkline label={label} series={[{ values: series.avg, color: 'var(--ui-accent)' }]} />
}
