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
import './twin.css'
import { useTwin } from './use-twin.ts'
import { ValueTable } from './value-table.tsx'

const names = ['configure']

/** Configuration of a board: desired, reported, and history. */
export function BoardConfiguration({ resource, record }: WidgetProps) {
  const { definitions } = useConsole()
  const actionContext = useActionContext()
  const id = String(record.id)
  const { twin, error, isFetching, retry, more } = useTwin(id)
  const [asked, setAsked] = useState<{ proposal: Proposal; turn: number }>()
  const [isOpen, setOpen] = useState(false)
  const propose = (proposal: Proposal) => {
    setAsked((before) => ({ proposal, turn: (before?.turn ?? 0) + 1 }))
    setOpen(true)
  }
  if (error && !twin) return <LoadFailed asPage={false} error={error} onRetry={retry} />
  if (!twin) return <Skeleton lines={12} height={20} />
  const fields = configurationFields(definitions)
  const [offer] = tabOffers({ parent: resource, record, target: resource, names }, actionContext())
  const mayChange = twin.mayEdit && offer !== undefined
  return (
    <div className="twin">
      <StateCard
        {...{ resource, record, twin, fields }}
        proposals={mayChange ? proposalsFor(twin, fields) : []}
        onPropose={propose}
      />
      <ValueTable twin={twin} fields={fields} />
      <HistoryCard
        {...{ twin, fields }}
        isBusy={isFetching}
        onRestore={mayChange ? (version) => propose(restoreOf(version, fields)) : undefined}
        onMore={more}
      />
      {asked && offer && (
        <ProposalDialog
          key={asked.turn}
          open={isOpen}
          {...{ twin, fields, offer }}
          proposal={asked.proposal}
          code={String(record.code ?? '')}
          onDone={() => setOpen(false)}
        />
      )}
    </div>
  )
}
