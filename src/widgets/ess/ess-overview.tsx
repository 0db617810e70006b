import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { isEmpty } from '#schema/form/is-empty.ts'
import { valueAt } from '#schema/rule.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { indexTab } from '#views/shared/paths.ts'
import { useStoredSetting } from '#views/shared/use-stored-setting.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { BatteryLevel } from '#widgets/energy/battery-level.tsx'
import { DataTime } from '#widgets/energy/data-time.tsx'
import { DayCard, DayComing } from '#widgets/energy/day-card.tsx'
import '#widgets/energy/energy.css'
import { powersOf } from '#widgets/energy/figures.ts'
import { FlowDiagram } from '#widgets/energy/flow-diagram.tsx'
import { comingTelemetry, type LastTelemetry } from '#widgets/energy/last-telemetry.ts'
import { useLastTelemetry } from '#widgets/energy/use-last-telemetry.ts'
import './ess.css'
import { EssAbout } from './ess-about.tsx'
import { EssFigures } from './ess-figures.tsx'
import { EssStrip } from './ess-strip.tsx'
import { essWords } from './ess-words.ts'

/** Current state of a site above its tabs: collapsed to one line beside other tabs, unless expanded. */
export function EssOverview({ resource, record, tab }: WidgetProps) {
  const sayLabel = useSay()
  const { data, error, retry } = useLastTelemetry(resource.name, String(record.id))
  const [stored, setStored] = useStoredSetting('ess-overview')
  const isOpen = stored === undefined ? tab === indexTab : stored === 'open'
  const last = data ?? undefined
  return (
    <section className="ui-card ess-overview" aria-label={sayLabel(essWords.overview)}>
      <h2 className="ui-hidden">{sayLabel(essWords.overview)}</h2>
      <div className="ess-overview-head">
        <div className="ess-strips">
          <EssAbout resource={resource} record={record} />
          <EssStrip resource={resource} record={record} last={last} />
        </div>
        {last ? <DataTime at={last.at} stale={last.at !== null && last.stale} /> : <TimeComing at={record.lastSignalAt} />}
        <Button
          kind="text"
          size="small"
          icon={isOpen ? 'chevron-up' : 'chevron-down'}
          aria-expanded={isOpen}
          aria-label={sayLabel(isOpen ? essWords.hide : essWords.show)}
          onClick={() => setStored(isOpen ? 'folded' : 'open')}
        />
      </div>
      {error && !last && (
        <Banner tone="warn" action={<Button size="small" icon="refresh" onClick={retry} />}>
          {sayLabel(essWords.failed)}
        </Banner>
      )}
      {isOpen && !error && <Body record={record} last={last} />}
    </section>
  )
}

function Body({ record, last }: { record: Row; last: LastTelemetry | undefined }) {
  const sayLabel = useSay()
  const zone = valueAt(record, 'location.timezone')
  // A site that was never heard of has no values that would come.
  if (!last) return isEmpty(record.lastSignalAt) ? <Skeleton lines={2} height={20} /> : <BodyComing />
  if (last.at === null)
    return <p className="ess-overview-empty">{sayLabel(last.board ? essWords.noSample : essWords.noBoard)}</p>
  return (
    <>
      <div className={last.stale ? 'ess-overview-body energy-old' : 'ess-overview-body'}>
        <FlowDiagram powers={powersOf(last)} />
        <BatteryLevel last={last} />
        <DayCard essId={String(record.id)} zone={typeof zone === 'string' ? zone : undefined} />
      </div>
      <EssFigures last={last} />
    </>
  )
}

/** As wide as the time of the newest sample. The box is an element of its own: it hides elements, no text of its own. */
const TimeComing = ({ at }: { at: unknown }) => (
  <span className="energy-time energy-coming" aria-hidden="true">
    {typeof at === 'string' && (
      <span>
        <DataTime at={at} stale={false} />
      </span>
    )}
  </span>
)

const BodyComing = () => (
  <div aria-hidden="true">
    <div className="ess-overview-body energy-coming">
      <FlowDiagram powers={powersOf(comingTelemetry)} />
      <BatteryLevel last={comingTelemetry} />
      <DayComing />
    </div>
    <div className="energy-coming">
      <EssFigures last={comingTelemetry} />
    </div>
  </div>
)
