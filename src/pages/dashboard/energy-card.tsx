import { useConsole, useSay } from '#fields/definitions.tsx'
import { fieldText } from '#fields/field-text.ts'
import { factsOf } from '#resources/fleet/channel-of.ts'
import type { SummaryFleet } from '#schema/wire/summary.ts'
import type { Language } from '#schema/words.ts'
import { Meter } from '#ui/chart/meter.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { channelText } from '#widgets/telemetry/channel-text.ts'
import { useChartTexts } from './charts/chart-texts.ts'
import { powerChannels } from './charts/power-channels.ts'
import { dashboardWords } from './dashboard-words.ts'
import { listHref } from './list-href.ts'

const energyText = (valueWh: number, language: Language) =>
  fieldText({ type: 'quantity', unit: 'Wh', digits: 0, label: dashboardWords.stored }, valueWh, { language })

/** Stored energy and power of all online systems. */
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
          <dl className="dash-facts">
            <div>
              <dt>{sayLabel(dashboardWords.meanSoc)}</dt>
              <dd>{soc}</dd>
            </div>
            {powerChannels.map((name) => (
              <div key={name}>
                <dt>{sayLabel(factsOf(name).label)}</dt>
                <dd>{channelText(name, fleet[name], language) || '—'}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Card>
  )
}
