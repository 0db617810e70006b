import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { formatDay } from '#fields/time/time-format.ts'
import { isOfClock } from '#resources/fleet/warnings/warning-codes.ts'
import { dayMs, minuteMs } from '#schema/format/durations.ts'
import { measuredText } from '#schema/format/measured-text.ts'
import { presentMs } from '#schema/format/present-time.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'
import { isDurationWhenRaised } from './condition-duration.ts'
import { warningWords } from './warning-words.ts'

const aroundMs = 30 * minuteMs
const judgement = ['severity', 'state', 'trip', 'latched']
/** Shown while a warning is less bad than it was. */
const worse = ['worseSeverity', 'worseValue']

/** Link to the board's chart half an hour around a warning's start, with that time pinned. */
function chartPath(boards: AnyResource, { controlPcbId, startedAt, raisedAt }: Row): string | undefined {
  const at = Date.parse(String(startedAt ?? raisedAt))
  if (typeof controlPcbId !== 'string' || Number.isNaN(at)) return undefined
  const time = (ms: number) => new Date(Math.round(ms / 1000) * 1000).toISOString().replace('.000Z', 'Z')
  const query = new URLSearchParams({
    from: time(at - aroundMs),
    to: time(Math.min(at + aroundMs, Math.max(presentMs(), at + minuteMs))),
    at: time(at),
  })
  return `${recordPath(boards, controlPcbId, 'telemetry')}?${query}`
}

/** Distance of a value beyond its threshold. */
function useDistance({ value, threshold, unit }: Row): string | undefined {
  const sayLabel = useSay()
  const { language } = useConsole()
  if (typeof value !== 'number' || typeof threshold !== 'number') return undefined
  const distance = Number(Math.abs(value - threshold).toFixed(2))
  if (distance === 0) return sayLabel(warningWords.at)
  const words = value > threshold ? warningWords.above : warningWords.below
  return sayLabel(words, { size: measuredText(distance, unit, language) })
}

/** The time that a clock which is days off showed when the warning was raised; undefined for any other value. */
function useClockShowed({ code, value, raisedAt }: Row, isAhead: boolean): string | undefined {
  const sayLabel = useSay()
  const { language } = useConsole()
  const raisedMs = Date.parse(String(raisedAt))
  const offMs = Number(value) * 1000
  if (!isOfClock(code) || !(offMs >= dayMs) || Number.isNaN(raisedMs)) return undefined
  const [shown, real] = [raisedMs + (isAhead ? offMs : -offMs), raisedMs].map((ms) =>
    formatDay(new Date(ms).toISOString(), language),
  )
  return sayLabel(warningWords.clockShowed, { shown, real })
}

type MeasuredProps = Pick<WidgetProps, 'resource' | 'record' | 'isPartial'> & { clockOffsetMs?: unknown }

/** The value that raised a warning, and the level that it crossed. The value is unsigned: the clock's offset now tells its side. */
export function MeasuredCard({ resource, record, isPartial, clockOffsetMs }: MeasuredProps) {
  const sayLabel = useSay()
  const { definitions, language, zone } = useConsole()
  const showed = useClockShowed(record, Number(clockOffsetMs) > 0)
  const distance = useDistance(record)
  const facts = useFacts({ resource, record, isPartial })
  const boards = definitions.get('control-pcb')
  const chart = boards && chartPath(boards, record)
  const { value, threshold, subject } = resource.fields
  const measured = measuredText(record.value, record.unit, language)
  const isDuration = isDurationWhenRaised(record) && measured !== ''
  const unmeasured = isDuration ? sayLabel(warningWords.hadLasted, { time: measured }) : sayLabel(warningWords.noValue)
  const shown = [
    { field: value, text: isDuration ? '' : (showed ?? measured) },
    { field: threshold, text: measuredText(record.threshold, record.unit, language) },
    { field: subject, text: subject && fieldText(subject, record.subject, { language, zone }) },
  ].flatMap(({ field, text }) => (field && text ? [{ label: sayLabel(field.label), text }] : []))
  return (
    <Card
      title={sayLabel(warningWords.measured)}
      footer={
        chart && (
          <Link className="ui-link" href={chart}>
            {sayLabel(warningWords.chart)}
          </Link>
        )
      }
    >
      {(isDuration || shown.length === 0) && <p>{unmeasured}</p>}
      <dl className="warning-measured">
        {shown.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {distance && !showed && <p className="warning-distance">{distance}</p>}
      <DescriptionList compact items={facts(record.worseSeverity ? [...judgement, ...worse] : judgement)} />
    </Card>
  )
}
