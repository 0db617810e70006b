import type { ReactNode } from 'react'
import { useDefinitions, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Checks } from '#schema/facts/action-facts.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import { useAnswer } from '#views/shared/use-answer.ts'
import { type Check, type CheckLink, queryOf, readChecks } from './check-query.ts'
import { checkWords } from './check-words.ts'
import './form-checks.css'

export type FormChecksProps = {
  checks: Checks
  values: Row
  record: Row
  /** Input for the override reason, when every failed check can be overridden. */
  override?: ReactNode
}

/** Server-side checks of the current form, one line per condition. */
export function FormChecks({ checks, values, record, override }: FormChecksProps) {
  const sayLabel = useSay()
  const query = queryOf(checks, { form: values, record })
  const answer = useAnswer({
    url: checks.from,
    ...(query ? { query } : {}),
    read: readChecks,
    isWanted: query !== undefined,
  })
  const { data, isFetching, isError, isPlaceholderData } = answer
  if (!query) return null
  const failures = data?.filter(({ ok }) => !ok) ?? []
  const failed = failures.length
  const isOverridable = override !== undefined && failed > 0 && failures.every(({ overridable }) => overridable)
  // Failed checks come first: there may be many passed ones.
  const ordered = [...failures, ...(data?.filter(({ ok }) => ok) ?? [])]
  return (
    <Card
      title={sayLabel(checkWords.title)}
      actions={
        <IconButton
          icon="refresh"
          size="small"
          label={sayLabel(checkWords.again)}
          busy={isFetching}
          onClick={() => void answer.refetch()}
        />
      }
    >
      {isError && <Banner tone="warn">{sayLabel(checkWords.unknown)}</Banner>}
      {!data && !isError && <Skeleton lines={4} height={20} />}
      {data && (
        <div className="form-checks" aria-busy={isPlaceholderData || undefined}>
          <Banner tone={failed > 0 ? 'warn' : 'good'}>
            {sayLabel(failed === 0 ? checkWords.passed : isOverridable ? checkWords.overridable : checkWords.failed, {
              count: failed,
            })}
          </Banner>
          <ul>
            {ordered.map((check) => (
              <OneCheck key={check.code} {...check} />
            ))}
          </ul>
          {isOverridable && override}
        </div>
      )}
    </Card>
  )
}

function OneCheck({ ok, text, found, links = [] }: Check) {
  const sayLabel = useSay()
  return (
    <li className={ok ? 'form-check' : 'form-check form-check-bad'}>
      <Icon name={ok ? 'check' : 'close'} sizePx={16} />
      <span>
        <span className="ui-hidden">{sayLabel(ok ? checkWords.ok : checkWords.bad)}: </span>
        {text}
      </span>
      <small>
        {links.length === 0 && found}
        {links.map((link) => (
          <LookAt key={link.id} {...link} />
        ))}
      </small>
    </li>
  )
}

/** Opens in a new tab, so that the form keeps its values. */
function LookAt({ resource, id, text }: CheckLink) {
  const target = useDefinitions().get(resource)
  if (!target) return text
  return (
    <Link className="ui-link" href={recordPath(target, id)} target="_blank" rel="noreferrer">
      {text}
    </Link>
  )
}
