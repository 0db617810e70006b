import { Suspense } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { fieldText } from '#fields/field-text.ts'
import { factsOf } from '#resources/fleet/channel-of.ts'
import type { SummaryFleet } from '#schema/wire/summary.ts'
import type { Language } from '#schema/words.ts'
import { Meter } from '#ui/chart/meter.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { lazyWhenIdle } from '#ui/layout/when-idle.ts'
import { useChartTexts } from './charts/chart-texts.ts'
import { powerChannels } from './charts/power-channels.ts'
import { dashboardWords } from './dashboard-words.ts'
import type { FleetFlowProps } from './fleet-flow.tsx'
import { listHref } from './list-href.ts'

// The figures come first; the picture of them has its place kept.
const FleetFlow = lazyWhenIdle<FleetFlowProps>(() =>
  import('./fleet-flow.tsx').then((module) => ({ default: module.FleetFlow })),
)

const energyText = (valueWh: number, language: Language) =>
  fieldText({ type: 'quantity', unit: 'Wh', digits: 0, label: dashboardWords.stored }, valueWh, { language })

/** Sums of the card that may be of fewer systems than report. */
const missing = [
  { name: 'storedWh', label: dashboardWords.stored },
  ...powerChannels.map((name) => ({ name, label: factsOf(name).label })),
] as const

export function EnergyCard({ fleet }: { fleet: SummaryFleet }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const resource = useConsole().definitions.get('ess')
  const { systems, storedWh, ratedWh, socPct, measured } = fleet
  const { language } = texts
  const link = resource && (
    <Link href={listHref(resource, fleet.query)}>{sayLabel(dashboardWords.measured, { count: measured.socPct })}</Link>
  )
  const parts = missing.flatMap(({ name, label }) =>
    measured[name] < systems ? [`${sayLabel(label).toLowerCase()} ${texts.count(measured[name])}`] : [],
  )
  const soc = texts.percent((socPct ?? 0) / 100)
  return (
    <Card title={sayLabel(dashboardWords.energy)} actions={link}>
      {measured.socPct === 0 ? (
        <EmptyState icon="bolt" title={sayLabel(dashboardWords.noEnergy)} />
      ) : (
        <>
          <p className="dash-lead">
            <strong>{energyText(storedWh ?? 0, language)}</strong>{' '}
            <span>{sayLabel(dashboardWords.ofRated, { rated: energyText(ratedWh ?? 0, language) })}</span>
          </p>
          <Meter value={socPct ?? 0} label={sayLabel(dashboardWords.meanSoc)} text={soc} tone="good" />
          <p className="dash-note">{sayLabel(dashboardWords.socNow, { soc })}</p>
          {parts.length > 0 && (
            <p className="dash-note">{sayLabel(dashboardWords.notAllMeasure, { count: systems, parts: parts.join(', ') })}</p>
          )}
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
