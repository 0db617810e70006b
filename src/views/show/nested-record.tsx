import { useEffect, useRef } from 'react'
import { useConsole, useMay, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { pathOf, type RelatedTab, relationOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { resolveValue, valueAt } from '#schema/rule.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { Forbidden, LoadFailed, NotFound } from '#views/screens.tsx'
import { recordPath } from '#views/shared/paths.ts'
import { isGone } from '#views/shared/problem.ts'
import { useRecord } from '#views/shared/use-record.ts'
import { HeadActions } from './head-actions.tsx'
import { HeadStatus } from './head-status.tsx'
import { recordHeading } from './record-heading.ts'
import { recordTabs } from './record-tabs.ts'
import { RecordTitle } from './record-title.tsx'
import { TabBody, TabPlace } from './tab-body.tsx'

export type NestedRecordProps = { parent: AnyResource; record: Row; name: string; tab: RelatedTab; id: string }

/** A row of a record's tab, opened inside that record. */
export function NestedRecord({ tab, ...place }: NestedRecordProps) {
  const { definitions } = useConsole()
  const may = useMay()
  const target = definitions.get(tab.resource)
  if (!target || !pathOf(target, 'show')) return <NotFound asPage={false} />
  if (!may(target.name, 'show')) return <Forbidden asPage={false} />
  return <Opened key={place.id} {...place} tab={tab} target={target} />
}

type OpenedProps = NestedRecordProps & { target: AnyResource }

/** True when the row belongs to the record in the address. */
function useBelongs({ parent, record, tab, target }: OpenedProps): (row: Row) => boolean {
  const ruleContext = useRuleContext()
  const relation = Object.entries(relationOf(parent, tab, target) ?? {})
  return (row) => relation.every(([field, value]) => valueAt(row, field) === resolveValue(value, record, ruleContext()))
}

function Opened(props: OpenedProps) {
  const { target, id } = props
  const { record: row, isPartial, error, retry } = useRecord(target.name, id)
  const belongs = useBelongs(props)
  if (error && (!row || isPartial || isGone(error))) return <LoadFailed asPage={false} error={error} onRetry={retry} />
  if (!row) return <Skeleton lines={8} height={20} />
  return belongs(row) ? <Body {...props} row={row} isPartial={isPartial} /> : <NotFound asPage={false} />
}

function Body({ parent, record, name, tab, target, row, isPartial }: OpenedProps & { row: Row; isPartial: boolean }) {
  const sayLabel = useSay()
  const wording = useConsole()
  const { viewer, permissions, definitions } = wording
  const [first] = recordTabs(target, { role: viewer.role, permissions, definitions })
  const heading = useRef<HTMLHeadingElement>(null)
  // The link with the focus was unmounted: focus the opened record.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <section className="view-nested" aria-label={recordHeading(target, row, wording)}>
      <header className="view-nested-head">
        <IconButton icon="arrow-left" label={sayLabel(tab.label)} href={recordPath(parent, String(record.id), name)} />
        <h2 ref={heading} tabIndex={-1}>
          <RecordTitle resource={target} record={row} />
        </h2>
        <HeadStatus resource={target} record={row} />
        <div className="ui-actions">
          <HeadActions resource={target} record={row} />
        </div>
      </header>
      {first && (
        <TabPlace>
          <TabBody resource={target} record={row} tab={first} isPartial={isPartial} />
        </TabPlace>
      )}
    </section>
  )
}
