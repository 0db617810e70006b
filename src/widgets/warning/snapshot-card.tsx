import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { channelNames, factsOf, isChannel } from '#resources/fleet/channel-of.ts'
import { Card } from '#ui/layout/card.tsx'
import type { LastTelemetry } from '#widgets/energy/last-telemetry.ts'
import { type ChannelValue, channelText } from '#widgets/telemetry/channel-text.ts'
import { warningWords } from './warning-words.ts'

const isValue = (value: unknown): value is ChannelValue => typeof value === 'number' || typeof value === 'string'

/** Channels of a snapshot in display order; unknown ones come last. */
function entriesOf(snapshot: unknown): [string, ChannelValue][] {
  const entries = Object.entries(Object(snapshot)).filter((entry): entry is [string, ChannelValue] => isValue(entry[1]))
  const placeOf = (name: string) => (isChannel(name) ? channelNames.indexOf(name) : channelNames.length)
  return entries.toSorted(([a], [b]) => placeOf(a) - placeOf(b))
}

/** All values measured when a warning was raised, beside the current ones. */
export function SnapshotCard({ record, last }: { record: Row; last: LastTelemetry | null | undefined }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const entries = entriesOf(record.snapshot)
  const words = (name: string, value: ChannelValue) =>
    isChannel(name) ? channelText(name, value, language) : String(value ?? '')
  const label = (name: string) => (isChannel(name) ? sayLabel(factsOf(name).label) : name)
  const title = sayLabel(warningWords.snapshot)
  if (entries.length === 0)
    return (
      <Card title={title}>
        <p>{sayLabel(warningWords.noSnapshot)}</p>
      </Card>
    )
  return (
    <Card flush title={title}>
      <table className="warning-snapshot">
        <caption className="ui-hidden">{title}</caption>
        <thead>
          <tr>
            {[warningWords.channel, warningWords.atThatTime, warningWords.now].map((head) => (
              <th key={head[0]} scope="col">
                {sayLabel(head)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{label(name)}</th>
              <td>{words(name, value)}</td>
              <td>{words(name, last?.channels[name]?.value ?? null) || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}
