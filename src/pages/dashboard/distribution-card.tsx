import '#schema/later/dashboard-figures.ts'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { fieldOf } from '#schema/definition.ts'
import { choiceLabel, choicesOf, hasChoices } from '#schema/facts/choices.ts'
import type { Figure } from '#schema/facts/figure-facts.ts'
import type { Field } from '#schema/field-types.ts'
import { formatNumber } from '#schema/format/format.ts'
import type { SummaryCard } from '#schema/wire/summary.ts'
import { StatusDot } from '#ui/feedback/status-dot.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import type { Tone } from '#ui/theme/tokens.ts'
import { dashboardWords } from './dashboard-words.ts'
import { listHref } from './list-href.ts'
import { type Share, ShareBar } from './share-bar.tsx'

type Group = NonNullable<SummaryCard['groups']>[number]
type Split = Extract<Figure, { by: string }>
type Shown = Share & { href: string; note?: string | undefined }

/** Enum values keep their order; others sort by count. */
function inOrder(field: Field, groups: readonly Group[], { whole, worstFirst }: Split): readonly Group[] {
  if (field.type !== 'status' && field.type !== 'enum') return groups
  const order = choicesOf(field)
  const missing = whole ? order.filter((choice) => !groups.some(({ value }) => value === choice)) : []
  const all: readonly Group[] = [...groups, ...missing.map((value) => ({ value, count: 0 }))]
  const sorted = all.toSorted((a, b) => order.indexOf(String(a.value)) - order.indexOf(String(b.value)))
  return worstFirst ? sorted.toReversed() : sorted
}

function useShares({ resource: name, by = '', groups = [], query, key }: SummaryCard): Shown[] {
  const sayLabel = useSay()
  const { definitions } = useConsole()
  const resource = definitions.get(name)
  const field = resource && fieldOf(resource, by)
  const figure = resource?.figures?.[key]
  if (!resource || !field || figure?.by === undefined) return []
  const versions = figure.states && definitions.get(figure.states.resource)?.fields[figure.states.field]
  const stateOf = ({ states }: Group) => (versions?.type === 'status' && states?.[0] ? versions.states[states[0]] : undefined)
  const toneOf = (group: Group): Tone => {
    const own = field.type === 'status' ? field.states[group.value ?? ''] : stateOf(group)
    return own?.tone ?? 'idle'
  }
  const labelOf = ({ value }: Group) => {
    if (value === null) return sayLabel(dashboardWords.unknown)
    return hasChoices(field) ? sayLabel(choiceLabel(field, value)) : value
  }
  return inOrder(field, groups, figure).map((group) => {
    const state = stateOf(group)
    return {
      key: `${key} ${group.value}`,
      label: labelOf(group),
      note: state && sayLabel(state.label),
      count: group.count,
      tone: toneOf(group),
      href: listHref(resource, query, group.value === null ? { [`${by}_null`]: 'true' } : { [by]: group.value }),
    }
  })
}

function ShareRow({ share, largest }: { share: Shown; largest: number }) {
  const { language } = useConsole()
  return (
    <li>
      <Link className="dash-row" href={share.href}>
        <StatusDot tone={share.tone}>
          {share.label}
          {share.note && <small> {share.note}</small>}
        </StatusDot>
        <span className="dash-row-bar" aria-hidden="true">
          {share.count > 0 && (
            <span className={`dash-bar dash-bar-${share.tone}`} style={{ inlineSize: `${(share.count / largest) * 100}%` }} />
          )}
        </span>
        <span className="dash-row-count">{formatNumber(share.count, 0, language)}</span>
      </Link>
    </li>
  )
}

/** A list's counts by one of its fields; each part links to its rows. */
export function DistributionCard({ card }: { card: SummaryCard }) {
  const sayLabel = useSay()
  const { definitions, language } = useConsole()
  const shares = useShares(card)
  const resource = definitions.get(card.resource)
  const field = resource && fieldOf(resource, card.by ?? '')
  if (!resource || !field || shares.length === 0) return null
  const own = resource.figures?.[card.key]?.label
  const names = { resource: sayLabel(resource.label.many), field: sayLabel(field.label) }
  const title = own ? sayLabel(own) : sayLabel(dashboardWords.by, names)
  const largest = Math.max(1, ...shares.map(({ count }) => count))
  const all = (
    <Link href={listHref(resource, card.query)}>
      {sayLabel(dashboardWords.all)}: {formatNumber(card.count, 0, language)}
    </Link>
  )
  return (
    <Card title={title} actions={all}>
      {field.type === 'status' && <ShareBar label={title} shares={shares} />}
      <ul className="dash-rows">
        {shares.map((share) => (
          <ShareRow key={share.key} share={share} largest={largest} />
        ))}
      </ul>
    </Card>
  )
}
