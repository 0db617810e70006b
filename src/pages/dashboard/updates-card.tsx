import { useConsole, useSay } from '#fields/definitions.tsx'
import type { SummaryCard } from '#schema/wire/summary.ts'
import { Meter } from '#ui/chart/meter.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { useChartTexts } from './charts/chart-texts.ts'
import { dashboardWords } from './dashboard-words.ts'
import { FigureRow } from './figure-row.tsx'
import { listHref } from './list-href.ts'

/** Firmware versions of the fleet, with open and failed updates. */
export function UpdatesCard({ cards }: { cards: readonly SummaryCard[] }) {
  const title = useSay()(dashboardWords.updates)
  const latest = cards.find(({ by }) => by !== undefined)
  if (cards.length === 0) return null
  return (
    <Card title={title}>
      {latest && <LatestShare card={latest} />}
      <ul className="dash-rows" aria-label={title}>
        {cards.map((card) => (
          <FigureRow key={`${card.resource} ${card.key}`} card={card} />
        ))}
      </ul>
    </Card>
  )
}

/** Boards without a reported firmware are excluded. */
function LatestShare({ card }: { card: SummaryCard }) {
  const sayLabel = useSay()
  const texts = useChartTexts()
  const resource = useConsole().definitions.get(card.resource)
  const countOf = (value: string) => card.groups?.find((group) => group.value === value)?.count ?? 0
  const [newest, old] = [countOf('true'), countOf('false')]
  const share = newest / Math.max(1, newest + old)
  const text = newest + old > 0 ? texts.percent(share, 0) : '—'
  const name = sayLabel(dashboardWords.onLatest)
  if (!resource) return null
  const parts = { count: texts.count(newest), total: texts.count(newest + old) }
  return (
    <>
      <p className="dash-lead">
        <strong>{text}</strong>{' '}
        <Link href={listHref(resource, `${card.by}=true`)}>{sayLabel(dashboardWords.onLatestOf, parts)}</Link>
      </p>
      <Meter value={100 * share} label={name} text={text} tone={share < 0.5 ? 'warn' : 'good'} />
      <ul className="dash-rows" aria-label={name}>
        <li>
          <Link className="dash-row dash-row-plain" href={listHref(resource, `${card.by}=false`)}>
            <span>{sayLabel(dashboardWords.older)}</span>
            <span className="dash-row-count">{texts.count(old)}</span>
          </Link>
        </li>
      </ul>
    </>
  )
}
