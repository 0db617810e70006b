import { useState } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { LoadFailed } from '#views/screens.tsx'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { configurationFields } from '#widgets/board/board-fields.ts'
import { HistoryCard } from './history-card.tsx'
import { type Proposal, proposalsFor, restoreOf } from './proposal.ts'
import { ProposalDialog } from './proposal-dialog.tsx'
import { StateCard } from './state-card.tsx'
import './configuration.css'
import { useConfigurationSync } from './use-configuration-sync.ts'
import { ValueTable } from './value-table.tsx'

const names = ['configure']

/** Configuration of a board: desired, reported, and history. */
export function BoardConfiguration({ resource, record }: WidgetProps) {
  const { definitions } = useConsole()
  const actionContext = useActionContext()
  const id = String(record.id)
  const { sync, error, isFetching, retry, more } = useConfigurationSync(id)
  const [asked, setAsked] = useState<{ proposal: Proposal; attempt: number }>()
  const [isOpen, setOpen] = useState(false)
  const propose = (proposal: Proposal) => {
    setAsked((before) => ({ proposal, attempt: (before?.attempt ?? 0) + 1 }))
    setOpen(true)
  }
  if (error && !sync) return <LoadFailed asPage={false} error={error} onRetry={retry} />
  if (!sync) return <Skeleton lines={12} height={20} />
  const fields = configurationFields(definitions)
  const [offer] = tabOffers({ parent: resource, record, target: resource, names }, actionContext())
  const mayChange = sync.mayEdit && offer !== undefined
  return (
    <div className="configuration">
      <StateCard
        {...{ resource, record, sync, fields }}
        proposals={mayChange ? proposalsFor(sync, fields) : []}
        onPropose={propose}
      />
      <ValueTable sync={sync} fields={fields} />
      <HistoryCard
        {...{ sync, fields }}
        isBusy={isFetching}
        onRestore={mayChange ? (version) => propose(restoreOf(version, fields)) : undefined}
        onMore={more}
      />
      {asked && offer && (
        <ProposalDialog
          key={asked.attempt}
          open={isOpen}
          {...{ sync, fields, offer }}
          proposal={asked.proposal}
          code={String(record.code ?? '')}
          onDone={() => setOpen(false)}
        />
      )}
    </div>
  )
}
