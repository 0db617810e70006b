import { useConsole, useDefinitions, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { formatMoment, formatRelative } from '#fields/time/time-format.ts'
import { clampedNow, useNow } from '#fields/time/use-now.ts'
import { dashboardWords } from '#pages/dashboard/dashboard-words.ts'
import { plainWords } from '#resources/fleet/warnings/plain-words.ts'
import type { SummarySite } from '#schema/wire/summary.ts'
import { Icon } from '#ui/icon/icon.tsx'

type Warning = SummarySite['warnings'][number]

function Raised({ at }: { at: string }) {
  const { language, zone } = useConsole()
  const nowMs = useNow()
  return (
    <time className="dash-note" dateTime={at} title={formatMoment(at, language, zone)}>
      {formatRelative(at, language, clampedNow(Date.parse(at), nowMs))}
    </time>
  )
}

function SiteWarning({ warning }: { warning: Warning }) {
  const sayLabel = useSay()
  const severity = useDefinitions().get('telemetry-warning')?.fields.severity
  const { title, meaning } = plainWords(warning.code)
  return (
    <li data-severity={warning.severity}>
      <div className="dash-warning-head">
        <strong>{sayLabel(title)}</strong>
        {severity && <FieldDisplay field={severity} path="severity" row={warning} />}
        {warning.raisedAt && <Raised at={warning.raisedAt} />}
      </div>
      <p>{sayLabel(meaning)}</p>
    </li>
  )
}

export function SiteWarnings({ warnings }: { warnings: readonly Warning[] }) {
  const sayLabel = useSay()
  if (warnings.length === 0)
    return (
      <p className="dash-fine" data-tone="good">
        <Icon name="check" />
        {sayLabel(dashboardWords.noWarnings)}
      </p>
    )
  return (
    <ul className="dash-warnings" aria-label={sayLabel(dashboardWords.siteWarnings)}>
      {warnings.map((warning) => (
        <SiteWarning key={warning.code} warning={warning} />
      ))}
    </ul>
  )
}
