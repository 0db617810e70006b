import '#schema/later/list-facts.ts'
import { useCallback } from 'react'
import { useConsole, useDefinitions, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldOf } from '#schema/definition.ts'
import type { Inbox } from '#schema/facts/inbox-facts.ts'
import { formatNumber } from '#schema/format/format.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Badge } from '#ui/feedback/badge.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Pagination } from '#ui/grid/pagination.tsx'
import { Button } from '#ui/input/button.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { SearchInput } from '#ui/input/search-input.tsx'
import { Card } from '#ui/layout/card.tsx'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { TabNav } from '#ui/layout/tab-nav.tsx'
import { useNarrow } from '#ui/layout/use-narrow.ts'
import { recordOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { ListKeys } from '#views/keys/list-keys.tsx'
import { LazyBulkBar } from '#views/list/lazy-bulk-bar.tsx'
import { useSearchKey, useSearchLabel } from '#views/list/list-toolbar.tsx'
import { useRowTitle } from '#views/list/use-row-title.ts'
import { useSelection } from '#views/list/use-selection.ts'
import { LoadFailed, NotFound } from '#views/screens.tsx'
import { listWords } from '#views/shared/list-words.ts'
import { recordPath } from '#views/shared/paths.ts'
import { InboxRecord } from './inbox-record.tsx'
import { InboxRows } from './inbox-rows.tsx'
import { inboxWords } from './inbox-words.ts'
import { useInbox } from './use-inbox.ts'
import { useSelected } from './use-selected.ts'
import './inbox.css'

/** Inbox of open work: the list on the left, the selected record on the right. */
export function InboxPage() {
  const resource = [...useDefinitions().values()].find(({ list }) => list?.inbox)
  return resource?.list?.inbox ? <Worked resource={resource} inbox={resource.list.inbox} /> : <NotFound />
}

function Worked({ resource, inbox }: { resource: AnyResource; inbox: Inbox }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const work = useInbox(resource, inbox)
  const { address, href, go, rows, total, list } = work
  const isNarrow = useNarrow()
  const selection = useSelection(rows, JSON.stringify([address.tab, address.q]))
  const actionContext = useActionContext()
  const rowOffers = useCallback((row: Row) => recordOffers(resource, row, actionContext()), [resource, actionContext])
  const onMove = useCallback((row: Row) => void (isNarrow || go({ id: String(row.id) })), [go, isNarrow])
  const selected = useSelected(work)
  // On a phone the record replaces the list, and stays when it has left it.
  const currentId = isNarrow ? address.id : selected
  if (isNarrow && currentId !== undefined)
    return (
      <>
        <PageHeader
          title={sayLabel(inboxWords.title)}
          back={{ href: href({ id: undefined }), label: sayLabel(inboxWords.back) }}
        />
        <InboxRecord key={currentId} resource={resource} id={currentId} />
      </>
    )
  if (list.error && !rows) return <LoadFailed error={list.error} onRetry={() => void list.refetch()} />
  return (
    <div className="inbox view-list">
      <PageHeader
        title={sayLabel(inboxWords.title)}
        subtitle={<span className="inbox-keys">{sayLabel(inboxWords.keys)}</span>}
        status={
          total === undefined || total === Infinity ? undefined : (
            <Badge count={total} text={formatNumber(total, 0, language)} label={sayLabel(listWords.inTotal)} />
          )
        }
      />
      <TabNav
        label={sayLabel(inboxWords.tabs)}
        current={address.tab}
        items={Object.entries(inbox.tabs).map(([key, { label }]) => ({
          key,
          label: sayLabel(label),
          href: href({ tab: key }),
        }))}
      />
      <div className="inbox-panes">
        <Card flush>
          <InboxTools {...{ resource, inbox, work }} />
          <LazyBulkBar
            {...{ resource, selection, total }}
            source={undefined}
            asked={work.asked}
            columns={resource.list?.columns ?? []}
          />
          <InboxList {...{ resource, work, selection, currentId }} />
        </Card>
        {currentId !== undefined && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled box must be reachable for the arrow keys
          <section className="inbox-record" aria-label={sayLabel(inboxWords.record)} tabIndex={0}>
            <InboxRecord key={currentId} resource={resource} id={currentId} />
          </section>
        )}
      </div>
      <ListKeys {...{ resource, rows, rowOffers, onMove }} hasSelection selected={selection.keys.size} />
    </div>
  )
}

type Work = ReturnType<typeof useInbox>

function InboxTools({ resource, inbox, work }: { resource: AnyResource; inbox: Inbox; work: Work }) {
  const sayLabel = useSay()
  const { address, go } = work
  const label = useSearchLabel(resource)
  const search = useSearchKey(label)
  const options = inbox.groups.map((path) => ({
    value: path,
    label: sayLabel(inboxWords.groupBy, { field: sayLabel(fieldOf(resource, path)?.label ?? [path, path]) }),
  }))
  return (
    <div className="inbox-tools">
      {label && <SearchInput ref={search} value={address.q} label={label} onChange={(q) => go({ q })} />}
      <NativeSelect
        aria-label={sayLabel(inboxWords.groups)}
        value={address.by}
        options={options}
        onChange={(by) => go({ by })}
      />
    </div>
  )
}

type InboxListProps = {
  resource: AnyResource
  work: Work
  selection: ReturnType<typeof useSelection>
  currentId: string | undefined
}

function InboxList({ resource, work, selection, currentId }: InboxListProps) {
  const rowTitle = useRowTitle(resource)
  const isNarrow = useNarrow()
  const { address, groups, rows, total, pageSize, href } = work
  /** The selected row links to its own page. */
  const rowHref = useCallback(
    (row: Row) => {
      const id = String(row.id)
      return !isNarrow && id === currentId ? recordPath(resource, id) : href({ id })
    },
    [isNarrow, currentId, resource, href],
  )
  const { add, drop } = selection
  const onTick = useCallback(
    (ticked: readonly Row[], isOn: boolean) => (isOn ? add(ticked) : drop(ticked.map(({ id }) => String(id)))),
    [add, drop],
  )
  if (!rows)
    return (
      <div className="inbox-wait">
        <Skeleton lines={10} height={40} />
      </div>
    )
  if (rows.length === 0) return <InboxEmpty resource={resource} work={work} />
  return (
    <>
      <InboxRows
        {...{ resource, groups, currentId, rowTitle, onTick }}
        by={address.by}
        isPart={(total ?? 0) > rows.length}
        ticked={selection.keys}
        href={rowHref}
      />
      <Pagination page={address.page} pageSize={pageSize} total={total} href={(page) => href({ page })} />
    </>
  )
}

function InboxEmpty({ resource, work: { address, total = 0, href } }: { resource: AnyResource; work: Work }) {
  const sayLabel = useSay()
  const text = resource.list?.inbox?.tabs[address.tab]?.text
  if (total === 0 && address.q) return <EmptyState title={sayLabel(inboxWords.nothingFound)} />
  if (total === 0) return <EmptyState title={sayLabel(inboxWords.nothing)} text={text && sayLabel(text)} />
  const back = <Button href={href({ page: undefined })}>{sayLabel(listWords.firstPage)}</Button>
  return <EmptyState title={sayLabel(listWords.beyondTitle)} action={back} />
}
