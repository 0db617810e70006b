import { useList } from '@refinedev/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useConsole, useMay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import type { Language } from '#schema/words.ts'
import type { TimeWindow } from '#ui/chart/chart-types.ts'
import type { Tone } from '#ui/theme/tokens.ts'
import { recordPath } from '#views/shared/paths.ts'
import type { Subject } from './use-series.ts'

/** A warning within the displayed span; `toMs` is undefined while it is open. */
export type WarningMark = {
  id: string
  text: string
  severity: string
  tone: Tone
  fromMs: number
  toMs: number | undefined
  href: string
}

const name = 'telemetry-warning'
const most = 200

const timeOf = (row: Row, path: string): number | undefined => {
  const atMs = Date.parse(String(valueAt(row, path) ?? ''))
  return Number.isNaN(atMs) ? undefined : atMs
}

function markOf(resource: AnyResource, row: Row, language: Language): WarningMark[] {
  const fromMs = timeOf(row, 'startedAt') ?? timeOf(row, 'raisedAt')
  if (fromMs === undefined) return []
  const [code, severity] = [resource.fields.code, resource.fields.severity]
  const said = code ? fieldText(code, row.code, { language }) : String(row.code)
  const subject = typeof row.subject === 'string' && row.subject ? `: ${row.subject}` : ''
  return [
    {
      id: String(row.id),
      text: said + subject,
      severity: String(row.severity),
      tone: severity?.type === 'status' ? (severity.states[String(row.severity)]?.tone ?? 'warn') : 'warn',
      fromMs,
      toMs: timeOf(row, 'clearedAt'),
      href: recordPath(resource, String(row.id)),
    },
  ]
}

type Displayed = TimeWindow & {
  /** It ends now, and goes on. */
  isLive: boolean
}

/** Warnings that overlap the displayed span; none when the console has no warnings resource, undefined while they are on their way. */
export function useWarnings(subject: Subject, { fromMs, toMs, isLive }: Displayed): WarningMark[] | undefined {
  const { definitions, language } = useConsole()
  const may = useMay()
  const resource = definitions.get(name)
  // Without a limit in a range that ends now: a limit that moves with it would read another list each minute. Live events bring what is new.
  const until = new Date(toMs).toISOString()
  const { query } = useList({
    resource: name,
    filters: [
      ...Object.entries(subject).map(([field, value]) => ({ field, operator: 'eq' as const, value })),
      ...(isLive ? [] : [{ field: 'raisedAt', operator: 'lte' as const, value: until }]),
    ],
    sorters: [{ field: 'raisedAt', order: 'desc' }],
    pagination: { pageSize: most },
    errorNotification: false,
    queryOptions: { placeholderData: keepPreviousData, enabled: resource !== undefined && may(name, 'list') },
  })
  const rows = query.data?.data
  const isComing = query.isLoading
  return useMemo(() => {
    if (isComing) return undefined
    const marks = resource && rows ? rows.flatMap((row) => markOf(resource, row, language)) : []
    return marks.filter((mark) => mark.fromMs < toMs && (mark.toMs ?? Number.POSITIVE_INFINITY) > fromMs)
  }, [resource, rows, isComing, language, fromMs, toMs])
}
