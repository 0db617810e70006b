import { useSay } from '#fields/definitions.tsx'
import { isEmpty } from '#schema/form/is-empty.ts'
import { valueAt } from '#schema/rule.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { BatteryLevel } from '#widgets/energy/battery-level.tsx'
import { DataTime } from '#widgets/energy/data-time.tsx'
import '#widgets/energy/energy.css'
import { powersOf } from '#widgets/energy/figures.ts'
import { FlowDiagram } from '#widgets/energy/flow-diagram.tsx'
import { comingTelemetry } from '#widgets/energy/last-telemetry.ts'
import { useLastTelemetry } from '#widgets/energy/use-last-telemetry.ts'
import './board.css'
import { boardWords } from './board-words.ts'
import { CaptureNote } from './capture-note.tsx'
import { ConfigurationCard } from './configuration-card.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { FirmwareCard } from './firmware-card.tsx'
import { LiveValues } from './live-values.tsx'
import { QualityCard } from './quality-card.tsx'
import { WarningsCard } from './warnings-card.tsx'

/** Board overview: warnings, connection, firmware, measurements. */
export function BoardStatus(about: WidgetProps) {
  return (
    <div className="board">
      <CaptureNote {...about} />
      <NowCard {...about} />
      <div className="board-cards">
        <WarningsCard {...about} />
        <FirmwareCard {...about} />
        <ConfigurationCard {...about} />
        <QualityCard {...about} />
      </div>
      <ConnectionCard {...about} />
      <ValuesCard {...about} />
    </div>
  )
}

/** A module measures its own cells; the main board measures the site. */
function NowCard({ resource, record }: WidgetProps) {
  const sayLabel = useSay()
  const { data: last, error } = useLastTelemetry(resource.name, String(record.id))
  if (record.role !== 'MAIN' || last?.at === null) return null
  if (!last) return error || isEmpty(valueAt(record, 'connection.lastSampleAt')) ? null : <NowComing />
  return (
    <Card title={sayLabel(boardWords.now)} actions={<DataTime at={last.at} stale={last.stale} />}>
      <div className={last.stale ? 'board-now energy-old' : 'board-now'}>
        <FlowDiagram powers={powersOf(last)} />
        <BatteryLevel last={last} />
      </div>
    </Card>
  )
}

function NowComing() {
  const sayLabel = useSay()
  return (
    <Card title={sayLabel(boardWords.now)} actions={<span className="energy-time">{'\u00a0'}</span>}>
      <div className="board-now energy-coming" aria-hidden="true">
        <FlowDiagram powers={powersOf(comingTelemetry)} />
        <BatteryLevel last={comingTelemetry} />
      </div>
    </Card>
  )
}

function ValuesCard({ resource, record }: WidgetProps) {
  const sayLabel = useSay()
  const id = String(record.id)
  const { data: last, error, retry } = useLastTelemetry(resource.name, id)
  if (error && !last)
    return (
      <Banner tone="warn" action={<Button size="small" icon="refresh" onClick={retry} />}>
        {sayLabel(boardWords.failed)}
      </Banner>
    )
  if (!last) return <Skeleton lines={8} height={20} />
  if (last.at === null)
    return <EmptyState icon="chart" title={sayLabel(boardWords.neverTitle)} text={sayLabel(boardWords.neverText)} />
  return (
    <Card flush title={sayLabel(boardWords.values)} actions={<DataTime at={last.at} stale={last.stale} />}>
      <LiveValues last={last} controlPcbId={id} />
    </Card>
  )
}
