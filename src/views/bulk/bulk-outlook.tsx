import '#schema/later/action-forms.ts'
import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Checks } from '#schema/facts/action-facts.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { queryOf, readSubjects, type Subject } from '#views/form/checks/check-query.ts'
import { checkWords } from '#views/form/checks/check-words.ts'
import { useRowTitle } from '#views/list/use-row-title.ts'
import { bulkWords } from './bulk-words.ts'
import { isRuledOut } from './run-bulk.ts'

/** Above this number of rows no checks are requested: nobody reads that many reasons. One URL holds half of them. */
const maxChecked = 200
const perCall = 100
const mostNames = 3

export type BulkOutlookProps = { resource: AnyResource; action: Action; rows: ReadonlyMap<string, Row>; values: Row }

type Reason = { text: string; rows: readonly Row[] }

/** Groups rows by reason, the most frequent first. */
function gather(found: readonly { text: string; row: Row }[]): Reason[] {
  const texts = [...new Set(found.map(({ text }) => text))]
  return texts
    .map((text) => ({ text, rows: found.filter((each) => each.text === text).map(({ row }) => row) }))
    .toSorted((a, b) => b.rows.length - a.rows.length)
}

/** Server-side checks of many rows, in row order; undefined when not requested. */
function useSubjects(checks: Checks | undefined, rows: readonly Row[], values: Row) {
  const dataProvider = useDataProvider()
  const queries = rows.map((record) => (checks ? queryOf(checks, { form: values, record }) : undefined))
  const whole = queries.filter((query) => query !== undefined)
  const isAsked = checks?.many === true && whole.length > 0 && whole.length === rows.length && rows.length <= maxChecked
  return useQuery({
    queryKey: ['bulk-checks', checks?.from, whole],
    enabled: isAsked,
    queryFn: async (queryContext): Promise<Subject[]> => {
      const found: Subject[] = []
      for (let at = 0; at < whole.length; at += perCall) {
        const part = whole.slice(at, at + perCall)
        const names = Object.keys(part[0] ?? {})
        const query = Object.fromEntries(names.map((name) => [name, [...new Set(part.map((each) => each[name] ?? ''))]]))
        const url = checks?.from ?? ''
        const answer = await dataProvider().custom?.({ url, method: 'get', query, meta: { queryContext, quiet: true } })
        found.push(...(readSubjects(answer?.data) ?? []))
      }
      return found
    },
  })
}

/** Shows before the action runs how many of the selected records accept it, and the reasons for the others. */
export function BulkOutlook({ resource, action, rows, values }: BulkOutlookProps) {
  const sayLabel = useSay()
  const ruleContext = useRuleContext()
  const all = [...rows.values()]
  const context = ruleContext()
  const out = all.filter((row) => isRuledOut(action, row, context))
  const open = all.filter((row) => !out.includes(row))
  const { data, isFetching, isError } = useSubjects(action.checks, open, values)
  const refused = (data ?? []).flatMap(({ checks }, index) => {
    const row = open[index]
    const failed = checks.filter(({ ok }) => !ok)
    return row && failed.length > 0 ? [{ row, texts: failed.map(({ text }) => text) }] : []
  })
  const reasons = gather([
    ...out.map((row) => ({ text: sayLabel(bulkWords.ruledOut), row })),
    ...refused.flatMap(({ row, texts }) => texts.map((text) => ({ text, row }))),
  ])
  const can = open.length - refused.length
  // Until the form is complete enough for the server's checks, only the local conditions are known.
  const isKnown = action.checks?.many !== true || data !== undefined
  return (
    <div className="view-outlook" aria-live="polite">
      {isFetching && <Skeleton lines={1} height={40} />}
      {!isFetching && isKnown && (
        <Banner tone={can === all.length ? 'good' : 'warn'}>{sayLabel(bulkWords.can, { can, count: all.length })}</Banner>
      )}
      {!isFetching && !isKnown && out.length > 0 && (
        <Banner tone="warn">{sayLabel(bulkWords.cannot, { count: out.length })}</Banner>
      )}
      {isError && <Banner tone="warn">{sayLabel(checkWords.unknown)}</Banner>}
      {action.checks?.many && open.length > maxChecked && <p>{sayLabel(bulkWords.unchecked, { max: maxChecked })}</p>}
      <Reasons resource={resource} reasons={reasons} />
    </div>
  )
}

function Reasons({ resource, reasons }: { resource: AnyResource; reasons: readonly Reason[] }) {
  const sayLabel = useSay()
  const rowTitle = useRowTitle(resource)
  if (reasons.length === 0) return null
  const namesOf = (rows: readonly Row[]) => {
    const names = rows.slice(0, mostNames).map(rowTitle).join(', ')
    return rows.length > mostNames ? sayLabel(bulkWords.among, { names, more: rows.length - mostNames }) : names
  }
  return (
    <ul>
      {reasons.map(({ text, rows }) => (
        <li key={text}>
          <b>{rows.length}</b> {text} <small>{namesOf(rows)}</small>
        </li>
      ))}
    </ul>
  )
}
