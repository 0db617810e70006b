import '#schema/later/action-forms.ts'
import { useDefinitions, useLanguage, useSay } from '#fields/definitions.tsx'
import { formatNumber } from '#schema/format/format.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Outlook } from '#schema/wire/outlook.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import { problemOf } from '#views/shared/problem.ts'
import { outlookWords } from './outlook-words.ts'
import type { OutlookState } from './use-outlook.ts'
import './outlook.css'

export type OutlookFactsProps = { resource: AnyResource; outlook: OutlookState }

/** Number of records the outlook counts, the first of them, and the reasons for exclusions. */
export function OutlookFacts({ resource, outlook }: OutlookFactsProps) {
  const sayLabel = useSay()
  const { missing, isFaulty, isStale, data, error, retry } = outlook
  const help = resource.outlook?.help
  if (missing.length > 0) {
    const names = missing.map((name) => sayLabel(resource.fields[name]?.label ?? [name, name])).join(', ')
    return <p className="outlook-note">{sayLabel(outlookWords.incomplete, { names })}</p>
  }
  return (
    <div className="outlook" aria-busy={isStale || undefined}>
      {isFaulty && <p className="outlook-note">{sayLabel(outlookWords.faulty)}</p>}
      {error !== undefined && <Failed error={error} onRetry={retry} />}
      {!data && !error && !isFaulty && <Skeleton lines={3} height={24} />}
      {data && error === undefined && <Counted resource={resource} data={data} />}
      {help && <p className="outlook-note">{sayLabel(help)}</p>}
    </div>
  )
}

/** A refusal carries its own message; any other failure offers a retry and does not block the form. */
function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const sayLabel = useSay()
  const { statusCode, message } = problemOf(error)
  const again = (
    <Button size="small" icon="refresh" onClick={onRetry}>
      {sayLabel(outlookWords.again)}
    </Button>
  )
  return (
    <Banner tone="warn" action={again}>
      {statusCode === 400 ? message : sayLabel(outlookWords.unknown)}
    </Banner>
  )
}

function Counted({ resource, data }: { resource: AnyResource; data: Outlook }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const { total, count, reasons, first } = data
  const figure = (value: number) => formatNumber(value, 0, language)
  const text =
    total === 0 ? sayLabel(outlookWords.none) : sayLabel(outlookWords.taken, { count: figure(count), total: figure(total) })
  return (
    <>
      <Banner tone={count === 0 ? 'warn' : 'good'}>{text}</Banner>
      <Reasons resource={resource} title={sayLabel(outlookWords.out)} reasons={reasons.filter(({ isOut }) => isOut)} />
      <Reasons resource={resource} title={sayLabel(outlookWords.known)} reasons={reasons.filter(({ isOut }) => !isOut)} />
      {first.length > 0 && (
        <p className="outlook-first">
          {sayLabel(outlookWords.first)}: <Few resource={resource} few={first} count={first.length} />
        </p>
      )}
    </>
  )
}

type ReasonsProps = { resource: AnyResource; title: string; reasons: Outlook['reasons'] }

function Reasons({ resource, title, reasons }: ReasonsProps) {
  const language = useLanguage()
  if (reasons.length === 0) return null
  return (
    <table className="outlook-reasons">
      <caption>{title}</caption>
      <tbody>
        {reasons.map(({ code, text, count, few }) => (
          <tr key={code}>
            <td>{formatNumber(count, 0, language)}</td>
            <th scope="row">{text}</th>
            <td>
              <Few resource={resource} few={few} count={count} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The first few records. They open in a new tab, so that the form keeps its values. */
function Few({ resource, few, count }: { resource: AnyResource; few: Outlook['first']; count: number }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const target = useDefinitions().get(resource.outlook?.of ?? '')
  return (
    <span className="outlook-few">
      {few.map(({ id, title }) =>
        target ? (
          <Link key={id} className="ui-link" href={recordPath(target, id)} target="_blank" rel="noreferrer">
            {title}
          </Link>
        ) : (
          <span key={id}>{title}</span>
        ),
      )}
      {count > few.length && (
        <span>{sayLabel(outlookWords.more, { count: formatNumber(count - few.length, 0, language) })}</span>
      )}
    </span>
  )
}
