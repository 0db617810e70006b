import { useSay } from '#fields/definitions.tsx'
import type { SummarySite } from '#schema/wire/summary.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { BatteryLevel } from '#widgets/energy/battery-level.tsx'
import { DayFigures } from '#widgets/energy/day-card.tsx'
import '#widgets/energy/energy.css'
import { dashboardWords } from '#pages/dashboard/dashboard-words.ts'
import { energyWords } from '#widgets/energy/energy-words.ts'
import { powersOf, selfPctOf } from '#widgets/energy/figures.ts'
import { FlowDiagram } from '#widgets/energy/flow-diagram.tsx'
import type { LastTelemetry } from '#widgets/energy/last-telemetry.ts'

const channels = ['socPct', 'energyAvailableWh', 'pvPowerW', 'loadPowerW', 'batteryPowerW', 'gridPowerW'] as const

/** A site's values in the form of the energy widgets. The board's configuration is not visible to clients. */
const lastOf = (site: SummarySite): LastTelemetry => ({
  at: site.measuredAt,
  stale: site.stale,
  channels: Object.fromEntries(channels.map((name) => [name, { value: site[name], quality: 'GOOD' }])),
  board: null,
})

/** Energy flow, charge and today's energy of a system. */
export function SiteEnergy({ site }: { site: SummarySite }) {
  const sayLabel = useSay()
  if (site.measuredAt === null)
    return <EmptyState icon="battery" title={sayLabel(energyWords.never)} text={sayLabel(dashboardWords.noDataText)} />
  const last = lastOf(site)
  return (
    <div className={site.stale ? 'dash-energy energy-old' : 'dash-energy'}>
      <FlowDiagram powers={powersOf(last)} />
      <div className="dash-energy-facts">
        <BatteryLevel last={last} />
        {site.today && (
          <div className="energy-day">
            <DayFigures day={{ ...site.today, selfPct: selfPctOf(site.today) }} />
          </div>
        )}
      </div>
    </div>
  )
}
