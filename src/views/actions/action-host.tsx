import { createContext, type ReactNode, Suspense, useCallback, useContext, useState } from 'react'
import type { Row } from '#fields/field-kind.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import type { ActionOffer, RunOptions } from './action-offer.ts'
import { useRunAction } from './use-run-action.ts'

const ActionDialog = lazyCode(() => import('./action-dialog.tsx').then((module) => ({ default: module.ActionDialog })))

export type StartOptions = {
  /** Replaces the run on the offer's record: for bulk actions. */
  run?: ((options: RunOptions) => Promise<unknown>) | undefined
  note?: string | undefined
  /** The selection; the dialog shows how many of its rows accept the action. */
  rows?: ReadonlyMap<string, Row> | undefined
  /** Called when the record has been deleted. */
  after?: (() => void) | undefined
  /** Called after the dialog has gone. */
  onClosed?: (() => void) | undefined
}
export type StartAction = (offer: ActionOffer, options?: StartOptions) => void

const StartContext = createContext<StartAction | undefined>(undefined)

const asksFirst = ({ action, isDeletion }: ActionOffer) => Boolean(action.form || action.confirm || isDeletion)

type Asked = StartOptions & { offer: ActionOffer; attempt: number }

/** Runs actions: directly, or through a dialog that is loaded on first use. */
export function ActionHost({ children }: { children: ReactNode }) {
  const runOne = useRunAction()
  const [asked, setAsked] = useState<Asked>()
  const [isOpen, setOpen] = useState(false)
  const start = useCallback(
    (offer: ActionOffer, options: StartOptions = {}) => {
      if (!asksFirst(offer)) {
        const { run = (given: RunOptions) => runOne(offer, given) } = options
        // The API client has already shown the error; there is no form to show it in.
        run({}).catch(() => undefined)
        return
      }
      setAsked((before) => ({ run: offer.run, ...options, offer, attempt: (before?.attempt ?? 0) + 1 }))
      setOpen(true)
    },
    [runOne],
  )
  return (
    <StartContext value={start}>
      {children}
      {asked && (
        <Suspense fallback={null}>
          <ActionDialog
            key={asked.attempt}
            offer={asked.offer}
            run={asked.run}
            note={asked.note}
            rows={asked.rows}
            after={asked.after}
            onClosed={asked.onClosed}
            open={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </StartContext>
  )
}

/** Starts an offered action: confirms, runs, reports. Throws outside the host. */
export function useStartAction(): StartAction {
  const start = useContext(StartContext)
  if (!start) throw new Error('useStartAction: no ActionHost above')
  return start
}
