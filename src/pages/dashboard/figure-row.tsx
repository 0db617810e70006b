import '#schema/later/dashboard-figures.ts'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatNumber } from '#schema/format/format.ts'
import type { SummaryCard } from '#schema/wire/summary.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Link } from '#ui/layout/link.tsx'
import { listHref } from './list-href.ts'

/** One count, linked to its rows; without a tone at zero. */
export function FigureRow({ card }: { card: SummaryCard }) {
  const sayLabel = useSay()
  const { definitions, language } = useConsole()
  const resource = definitions.get(card.resource)
  const figure = resource?.figures?.[card.key]
  if (!resource || !figure || figure.by !== undefined) return null
  return (
    <li>
      <Link className="dash-row dash-row-plain" href={listHref(resource, card.query)}>
        <StatusDot tone={card.count > 0 ? figure.tone : 'idle'}>{sayLabel(figure.label)}</StatusDot>
        <span className="dash-row-count">{formatNumber(card.count, 0, language)}</span>
      </Link>
    </li>
  )
}
