import '#schema/later/action-forms.ts'
import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import type { Checks } from '#schema/facts/action-facts.ts'
import type { Action } from '#schema/resource.ts'
import { queryOf, readSubjects, type Subject } from '#views/form/checks/check-query.ts'
import { bulkWords } from './bulk-words.ts'
import { isRuledOut } from './run-bulk.ts'

/** Above this number of rows no checks are requested: nobody reads that many reasons. One URL holds half of them. */
export const maxChecked = 200
const perCall = 100

export type Reason = { text: string; rows: readonly Row[] }

/** How many of the selected records accept an action, and why the others do not. */
export type BulkForecast = {
  count: number
  /** Unknown until the form is complete enough for the server's checks. */
  can: number | undefined
  /** Records that the action is sent for, as far as is known. */
  able: number
  /** Records that their own values rule out. */
  out: number
  reasons: readonly Reason[]
  /** Says that every record would refuse the action: there is nothing to send. */
  refusal: string | undefined
  isFetching: boolean
  isError: boolean
  isUnchecked: boolean
}

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
  const isAsked = checks?.many !== undefined && whole.length > 0 && whole.length === rows.length && rows.length <= maxChecked
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

const none: ReadonlyMap<string, Row> = new Map()

/** The forecast of an action on the selected rows; nothing is requested without rows. */
export function useBulkOutlook(action: Action, rows = none, values: Row = {}): BulkForecast {
  const sayLabel = useSay()
  const context = useRuleContext()()
  const all = [...rows.values()]
  const out = all.filter((row) => isRuledOut(action, row, context))
  const open = all.filter((row) => !out.includes(row))
  const { data, isFetching, isError } = useSubjects(action.checks, open, values)
  const refused = (data ?? []).flatMap(({ checks }, index) => {
    const row = open[index]
    const failed = checks.filter(({ ok }) => !ok)
    return row && failed.length > 0 ? [{ row, texts: failed.map(({ text, obstacle = text }) => obstacle) }] : []
  })
  const reasons = gather([
    ...out.map((row) => ({ text: sayLabel(bulkWords.ruledOut), row })),
    ...refused.flatMap(({ row, texts }) => texts.map((text) => ({ text, row }))),
  ])
  const isKnown = action.checks?.many === undefined || data !== undefined || open.length === 0
  const can = isKnown ? open.length - refused.length : undefined
  const isRefused = all.length > 0 && can === 0 && !isFetching
  return {
    count: all.length,
    can,
    able: can ?? open.length,
    out: out.length,
    reasons,
    refusal: isRefused ? sayLabel(bulkWords.canNone, { count: all.length }) : undefined,
    isFetching,
    isError,
    isUnchecked: action.checks?.many !== undefined && open.length > maxChecked,
  }
}
