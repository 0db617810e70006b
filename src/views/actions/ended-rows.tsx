import '#schema/later/action-forms.ts'
import { useMemo } from 'react'
import { useDefinitions, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { isRelated, type RelatedTab } from '#schema/definition.ts'
import type { Ends } from '#schema/facts/action-facts.ts'
import { maxRows } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { holds } from '#schema/rule.ts'
import type { ListSource } from '#views/list/refine-query.ts'
import { useListRows } from '#views/list/use-list-rows.ts'
import { useRowTitle } from '#views/list/use-row-title.ts'
import { useRelatedSource } from '#views/show/use-related-source.ts'
import './ended-rows.css'

const everyRow = { filters: [], sort: [], q: '', page: 1, limit: maxRows }

/** Number of rows that are named. */
const mostNamed = 10

export type EndedRowsProps = { resource: AnyResource; record: Row | undefined; ends: Ends | undefined }

/** Names the rows of a related tab that an action or another value ends. */
export function EndedRows({ resource, record, ends }: EndedRowsProps) {
  const definitions = useDefinitions()
  const tab = resource.tabs?.[ends?.tab ?? '']
  if (!ends || !record || !tab || !isRelated(tab)) return null
  const target = definitions.get(tab.resource)
  return target ? <OfTab {...{ parent: resource, record, ends, tab, target }} /> : null
}

type OfTabProps = { parent: AnyResource; record: Row; ends: Ends; tab: RelatedTab; target: AnyResource }

function OfTab({ parent, record, tab, ends, target }: OfTabProps) {
  const { from } = ends
  const listed = useMemo(() => (from === undefined ? tab : { ...tab, from }), [tab, from])
  const source = useRelatedSource(parent, record, listed)
  return source ? <Named {...{ ends, target, source }} /> : null
}

function Named({ ends, target, source }: { ends: Ends; target: AnyResource; source: ListSource }) {
  const sayLabel = useSay()
  const ruleContext = useRuleContext()
  const rowTitle = useRowTitle(target)
  const { rows = [], total = 0 } = useListRows(target.name, everyRow, source)
  const ended = rows.filter((row) => !ends.when || holds(ends.when, row, ruleContext()))
  if (ended.length === 0) return null
  // A condition holds for some of the loaded rows; without one all rows of the list end.
  const count = ends.when ? ended.length : Math.max(total, ended.length)
  return (
    <div className="form-ends">
      <p>{sayLabel(ends.label, { count })}</p>
      <ul>
        {ended.slice(0, mostNamed).map((row) => (
          <li key={String(row.id)}>{rowTitle(row)}</li>
        ))}
        {ended.length > mostNamed && <li>…</li>}
      </ul>
    </div>
  )
}
