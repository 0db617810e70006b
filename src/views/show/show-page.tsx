import { Suspense, useDeferredValue, useEffect } from 'react'
import { useNavigationType, useParams } from 'react-router'
import { useConsole, useDefinition, useMay, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { isRelated } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { afterPaint } from '#ui/layout/after-paint.ts'
import { Breadcrumbs } from '#ui/layout/breadcrumbs.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { TabNav } from '#ui/layout/tab-nav.tsx'
import { Forbidden, LoadFailed, NoId, NotFound } from '#views/screens.tsx'
import { indexTab, listPath, recordPath } from '#views/shared/paths.ts'
import { isGone } from '#views/shared/problem.ts'
import { useRecord } from '#views/shared/use-record.ts'
import { useViews } from '#views/shared/view-context.tsx'
import { viewWords } from '#views/shared/words.ts'
import { HeadActions } from './head-actions.tsx'
import { HeadStatus } from './head-status.tsx'
import { whyNotPermitted } from './not-permitted.ts'
import { recordHeading } from './record-heading.ts'
import { type NamedTab, recordTabs } from './record-tabs.ts'
import { RecordTitle } from './record-title.tsx'
import { recordWords } from './record-words.ts'
import { TabBody, TabPlace } from './tab-body.tsx'
import { WidgetSlot } from './widget-slot.tsx'

/** Fetched beside what all records have: the line keeps its place meanwhile. */
const whyCode = () => import('./record-why.tsx').then((module) => ({ default: module.RecordWhy }))
const RecordWhy = lazyCode(whyCode)
/** Below everything: nothing moves when it comes. */
const RecordFoot = lazyCode(() => import('./record-foot.tsx').then((module) => ({ default: module.RecordFoot })))
const NestedRecord = lazyCode(() => import('./nested-record.tsx').then((module) => ({ default: module.NestedRecord })))

export type ShowPageProps = { resource: string }

/** The page of one record; the address holds `id`, `tab` and an opened row. */
export function ShowPage({ resource: name }: ShowPageProps) {
  const resource = useDefinition(name)
  const may = useMay()
  const { id, tab = indexTab, child } = useParams()
  if (!may(name, 'show')) return <Forbidden />
  if (!id?.trim()) return <NoId />
  // Another id is another page: the key resets all state.
  return <Shown key={`${name} ${id}`} resource={resource} id={id} tab={tab} child={child} />
}

type ShownProps = { resource: AnyResource; id: string; tab: string; child: string | undefined }

function Shown({ resource, id, tab, child }: ShownProps) {
  const sayLabel = useSay()
  const may = useMay()
  const { record, isPartial, error, retry } = useRecord(resource.name, id)
  useCodeOf(resource, tab)
  const mayList = may(resource.name, 'list')
  const toList = mayList && <Button href={listPath(resource)}>{sayLabel(recordWords.toList)}</Button>
  // Loaded data stays on screen during network errors, but not when the record was deleted.
  if (error && (!record || isPartial || isGone(error))) return <LoadFailed error={error} onRetry={retry} action={toList} />
  if (!record) return <Skeleton lines={8} height={20} />
  return <RecordPage {...{ resource, record, tab, child, isPartial, mayList }} />
}

/** Fetches the code of the sentence and of the widgets beside the record, not after it. */
function useCodeOf({ why, head, tabs }: AnyResource, tab: string): void {
  const { widgets } = useViews()
  const open = tabs?.[tab]
  const own = open && 'widget' in open ? open.widget : undefined
  const isExplained = why !== undefined
  useEffect(
    () =>
      afterPaint(() => {
        const wanted = [isExplained ? whyCode : undefined, ...[head, own].map((name) => widgets[name ?? '']?.load)]
        // The part that draws it reports a failure.
        for (const load of wanted) load?.().catch(() => undefined)
      }),
    [widgets, isExplained, head, own],
  )
}

type RecordPageProps = Omit<ShownProps, 'id'> & { record: Row; isPartial: boolean; mayList: boolean }

const opensAt = ({ tab }: NamedTab, segment: string) => isRelated(tab) && tab.opens === segment

function RecordPage({ mayList, ...about }: RecordPageProps) {
  const { resource, record } = about
  const sayLabel = useSay()
  const title = recordHeading(resource, record, useConsole())
  const why = whyNotPermitted(resource, record)
  const crumbs = [{ label: sayLabel(resource.label.many), ...(mayList ? { href: listPath(resource) } : {}) }, { label: title }]
  // A click shows the head at once. Back needs the whole height at once, to which the browser scrolls.
  const isWhole = useDeferredValue(true, useNavigationType() === 'POP')
  return (
    <>
      <PageHeader
        title={<RecordTitle resource={resource} record={record} />}
        subtitle={why && sayLabel(why)}
        status={<HeadStatus resource={resource} record={record} />}
        breadcrumbs={<Breadcrumbs label={sayLabel(viewWords.path)} items={crumbs} />}
        actions={<HeadActions resource={resource} record={record} />}
      />
      {isWhole && (
        <TabPlace>
          <RecordBody {...about} />
        </TabPlace>
      )}
    </>
  )
}

function RecordBody({ resource, record, tab, child, isPartial }: Omit<RecordPageProps, 'mayList'>) {
  const sayLabel = useSay()
  const { viewer, permissions, definitions } = useConsole()
  const tabs = recordTabs(resource, { role: viewer.role, permissions, definitions })
  const current = tabs.find((each) => (child === undefined ? each.name === tab : opensAt(each, tab)))
  return (
    <>
      {resource.why && (
        <Suspense fallback={<p className="view-why">{'\u00a0'}</p>}>
          <RecordWhy {...{ resource, record, isPartial }} />
        </Suspense>
      )}
      {resource.head && current && (
        <WidgetSlot widget={resource.head} {...{ resource, record, isPartial }} tab={current.name} />
      )}
      {tabs.length > 1 && (
        <TabNav
          label={sayLabel(recordWords.tabs)}
          current={current?.name}
          items={tabs.map(({ name, tab: each }) => ({
            key: name,
            label: sayLabel(each.label),
            href: recordPath(resource, String(record.id), name),
          }))}
        />
      )}
      {!current && <NotFound asPage={false} />}
      <TabPlace key={`${tab} ${child}`}>
        {current && child === undefined && <TabBody {...{ resource, record, isPartial }} tab={current} />}
        {current && child !== undefined && isRelated(current.tab) && (
          <NestedRecord parent={resource} record={record} name={current.name} tab={current.tab} id={child} />
        )}
        <Suspense fallback={<p className="view-foot">{'\u00a0'}</p>}>
          <RecordFoot record={record} />
        </Suspense>
      </TabPlace>
    </>
  )
}
