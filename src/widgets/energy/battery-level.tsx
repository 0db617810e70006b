import { useLanguage, useSay } from '#fields/definitions.tsx'
import { fieldText } from '#fields/field-text.ts'
import { formatDuration } from '#schema/format/format.ts'
import { Meter } from '#ui/chart/meter.tsx'
import { channelText } from '#widgets/telemetry/channel-text.ts'
import { energyWords } from './energy-words.ts'
import { autonomyS } from './figures.ts'
import { type LastTelemetry, numberAt, settingOf } from './last-telemetry.ts'

const lowPct = 20

/** Battery level, reserve and remaining time. */
export function BatteryLevel({ last }: { last: LastTelemetry }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const socPct = numberAt(last, 'socPct')
  const reservePct = settingOf(last, 'backupReservePct')
  const storedWh = numberAt(last, 'energyAvailableWh')
  const lastsS = autonomyS(last)
  if (socPct === null) return null
  const text = channelText('socPct', socPct, language)
  const reserve = reservePct === null ? undefined : fieldText({ type: 'percent', label: ['', ''] }, reservePct, { language })
  const reserveText = reserve && `${sayLabel(energyWords.reserve)} ${reserve}`
  const facts = [
    { label: energyWords.stored, text: storedWh === null ? '' : channelText('energyAvailableWh', storedWh, language) },
    { label: energyWords.autonomy, text: lastsS === null ? '' : formatDuration(Math.round(lastsS / 60) * 60, language) },
    { label: energyWords.reserve, text: reserve ?? '' },
  ].filter((fact) => fact.text)
  return (
    <div className="energy-level">
      <p className="energy-level-head">
        <span>{sayLabel(energyWords.soc)}</span>
        <strong>{text}</strong>
      </p>
      <Meter
        value={socPct}
        label={sayLabel(energyWords.soc)}
        text={reserveText ? `${text}. ${reserveText}` : text}
        tone={socPct < lowPct ? 'warn' : 'good'}
        mark={reservePct === null || !reserveText ? undefined : { at: reservePct, title: reserveText }}
      />
      <dl className="energy-facts">
        {facts.map(({ label, text: value }) => (
          <div key={label[0]}>
            <dt>{sayLabel(label)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
