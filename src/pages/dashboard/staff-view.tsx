import '#schema/later/dashboard-figures.ts'
import { type ReactNode, Suspense } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Figure } from '#schema/facts/figure-facts.ts'
import type { StaffSummary, SummaryCard, SummaryCharts } from '#schema/wire/summary.ts'
import type { Label } from '#schema/words.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Card } from '#ui/layout/card.tsx'
import { AttentionCard } from './attention-card.tsx'
import { ChargeChart } from './charts/charge-chart.tsx'
import { PackageChart } from './charts/package-chart.tsx'
import { PowerChart } from './charts/power-chart.tsx'
import { ReportingChart } from './charts/reporting-chart.tsx'
import { dashboardWords } from './dashboard-words.ts'
import { DistributionCard } from './distribution-card.tsx'
import { EmptyFleet } from './empty-fleet.tsx'
import { EnergyCard } from './energy-card.tsx'
import { FailedUpdatesCard } from './failed-updates-card.tsx'
import { FiguresCard } from './figures-card.tsx'
import { RecentCard } from './recent-card.tsx'
import './staff.css'
import { lazyWhenIdle } from '#ui/layout/when-idle.ts'
import { WarningChart } from './charts/warning-chart.tsx'
import { UpdatesCard } from './updates-card.tsx'

// Loaded when idle: most users have completed the steps, and the figures come first.
const FirstStepsCard = lazyWhenIdle<object>(() =>
  import('./first-steps-card.tsx').then((module) => ({ default: module.FirstStepsCard })),
)

const firstStepsCard = (
  <Suspense fallback={null}>
    <FirstStepsCard />
  </Suspense>
)

const nameOf = ({ resource, key }: SummaryCard) => `${resource} ${key}`

/** A titled group of cards. */
function Group({ title, children }: { title: Label; children: ReactNode }) {
  const name = useSay()(title)
  return (
    <section className="dash-group" aria-label={name}>
      <h2 className="dash-heading">{name}</h2>
      <div className="dash-grid">{children}</div>
    </section>
  )
}

const Charts = ({ charts }: { charts: SummaryCharts }) => (
  <>
    <div className="dash-whole">
      <PowerChart hours={charts.power} />
    </div>
    <div className="dash-whole">
      <ReportingChart hours={charts.reporting} />
    </div>
    <div className="dash-half">
      <WarningChart days={charts.warnings} />
    </div>
    <div className="dash-half">
      <PackageChart hours={charts.packages} />
    </div>
  </>
)

/** A large fleet's past is counted for some seconds: the figures do not wait for it. */
const ChartsToCome = () => (
  <div className="dash-whole" aria-busy="true">
    <Card title={useSay()(dashboardWords.counting)}>
      <Skeleton lines={5} />
    </Card>
  </div>
)

/** Fleet overview: current state, open work, trends and composition. */
export function StaffView({ summary }: { summary: StaffSummary }) {
  const { cards, fleet, charts, attention, failedUpdates, recent } = summary
  const { definitions } = useConsole()
  const at = (place: Figure['place']): SummaryCard[] =>
    cards.filter(({ resource, key }) => definitions.get(resource)?.figures?.[key]?.place === place)
  const isEmpty = cards.every(({ by, count }) => by === undefined || count === 0)
  if (isEmpty)
    return (
      <div className="dash">
        {firstStepsCard}
        <EmptyFleet />
        <RecentCard changes={recent} />
      </div>
    )
  return (
    <div className="dash">
      {firstStepsCard}
      <Group title={dashboardWords.now}>
        {at('now').map((card) => (
          <DistributionCard key={nameOf(card)} card={card} />
        ))}
        <EnergyCard fleet={fleet} />
        <UpdatesCard cards={at('updates')} />
        <div className="dash-wide">
          <AttentionCard warnings={attention} />
        </div>
        <div className="dash-side">
          <FiguresCard cards={at('tidy')} />
          <ChargeChart fleet={fleet} />
        </div>
      </Group>
      <Group title={dashboardWords.lately}>{charts ? <Charts charts={charts} /> : <ChartsToCome />}</Group>
      <Group title={dashboardWords.spread}>
        {at('spread').map((card) => (
          <DistributionCard key={nameOf(card)} card={card} />
        ))}
      </Group>
      <Group title={dashboardWords.last}>
        <div className="dash-half">
          <FailedUpdatesCard updates={failedUpdates} />
        </div>
        <div className="dash-half">
          <RecentCard changes={recent} />
        </div>
      </Group>
    </div>
  )
}
