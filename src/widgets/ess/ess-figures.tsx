import { useConsole, useSay } from '#fields/definitions.tsx'
import { type Channel, factsOf } from '#resources/fleet/channel-of.ts'
import type { LastTelemetry } from '#widgets/energy/last-telemetry.ts'
import { channelText } from '#widgets/telemetry/channel-text.ts'

const shown: readonly Channel[] = [
  'cellDeltaMv',
  'cellTempMaxC',
  'chargeCurrentLimitA',
  'dischargeCurrentLimitA',
  'sohPct',
  'cycleCount',
]

export function EssFigures({ last }: { last: LastTelemetry }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  return (
    <dl className="energy-facts ess-figures">
      {shown.map((name) => (
        <div key={name}>
          <dt>{sayLabel(factsOf(name).label)}</dt>
          <dd>{channelText(name, last.channels[name]?.value ?? null, language) || '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
