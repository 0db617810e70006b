import { Suspense } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { fieldText } from '#fields/field-text.ts'
import type { SummaryFleet } from '#schema/wire/summary.ts'
import type { Language } from '#schema/words.ts'
import { Meter } from '#ui/chart/meter.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { lazyWhenIdle } from '#ui/layout/when-idle.ts'
import { useChartTexts } from './charts/chart-texts.ts'
import { dashboardWords } from './dashboard-words.ts'
import type { FleetFlowProps } from './fleet-flow.tsx'
import { listHref } from './list-href.ts'

// The figures come first; the picture of them has its place kept.
const FleetFlow = lazyWhenIdle<FleetFlowProps>(() =>
  import('./fleet-flow.tsx').then((module) => ({ default: module.FleetFlow })),
)

const energyText = (valueWh: number, language: Language) =>
  fieldText({ type: 'quantity', unit: 'Wh', digits: 0, label: dashboardWords.stored }, valueWh, { language })

export function EnergyCard({ fleet }: { fleet: SummaryFleet }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const resource = useConsole().definitions.get('ess')
  const { systems, storedWh, ratedWh, socPct } = fleet
  const { language } = texts
  const link = resource && (
    <Link href={listHref(resource, fleet.query)}>{sayLabel(dashboardWords.measured, { count: systems })}</Link>
  )
  const soc = texts.percent((socPct ?? 0) / 100)
  return (
    <Card title={sayLabel(dashboardWords.energy)} actions={link}>
      {systems === 0 ? (
        <EmptyState icon="bolt" title={sayLabel(dashboardWords.noEnergy)} />
      ) : (
        <>
          <p className="dash-lead">
            <strong>{energyText(storedWh ?? 0, language)}</strong>{' '}
            <span>{sayLabel(dashboardWords.ofRated, { rated: energyText(ratedWh ?? 0, language) })}</span>
          </p>
          <Meter value={socPct ?? 0} label={sayLabel(dashboardWords.meanSoc)} text={soc} tone="good" />
          <p className="dash-note">{sayLabel(dashboardWords.socNow, { soc })}</p>
          <div className="dash-flow">
            <Suspense fallback={null}>
              <FleetFlow fleet={fleet} />
            </Suspense>
          </div>
        </>
      )}
    </Card>
  )
}
