import { useConsole, useSay } from '#fields/definitions.tsx'
import type { AnyResource } from '#schema/resource.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { recordOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { LoadFailed } from '#views/screens.tsx'
import { indexTab, recordPath } from '#views/shared/paths.ts'
import { isGone } from '#views/shared/problem.ts'
import { useRecord } from '#views/shared/use-record.ts'
import { HeadStatus } from '#views/show/head-status.tsx'
import { whyNotPermitted } from '#views/show/not-permitted.ts'
import { recordTabs } from '#views/show/record-tabs.ts'
import { RecordTitle } from '#views/show/record-title.tsx'
import { TabBody, TabPlace } from '#views/show/tab-body.tsx'
import { inboxWords } from './inbox-words.ts'

/** The selected record: its actions and its first tab. */
export function InboxRecord({ resource, id }: { resource: AnyResource; id: string }) {
  const sayLabel = useSay()
  const { viewer, permissions, definitions } = useConsole()
  const actionContext = useActionContext()
  const { record, isPartial, error, retry } = useRecord(resource.name, id)
  if (error && (!record || isGone(error))) return <LoadFailed asPage={false} error={error} onRetry={retry} />
  if (!record) return <Skeleton lines={8} height={20} />
  const why = whyNotPermitted(resource, record)
  const [first] = recordTabs(resource, { role: viewer.role, permissions, definitions }).filter(({ name }) => name === indexTab)
  return (
    <>
      <header className="inbox-record-head">
        <div className="inbox-record-title">
          <h2>
            <RecordTitle resource={resource} record={record} />
          </h2>
          <HeadStatus resource={resource} record={record} />
        </div>
        {why && <p>{sayLabel(why)}</p>}
        <div className="ui-actions">
          <ActionButtons offers={recordOffers(resource, record, actionContext())} shown={4} />
          <Button kind="text" icon="external" href={recordPath(resource, id)}>
            {sayLabel(inboxWords.open)}
          </Button>
        </div>
      </header>
      {first && (
        <TabPlace>
          <TabBody {...{ resource, record, isPartial }} tab={first} />
        </TabPlace>
      )}
    </>
  )
}
