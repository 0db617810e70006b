import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import type { Row } from '#fields/field-kind.ts'
import { LazyChunk, LazyView } from '#ui/layout/lazy-chunk.tsx'
import type { ActionOffer, RunOptions } from './action-offer.ts'
import { useRunAction } from './use-run-action.ts'

const dialogCode = new LazyChunk(() => import('./action-dialog.tsx').then((module) => module.ActionDialog))

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

type ActionHostProps = {
  /** Says that the dialog's code could not be loaded. */
  onUnloaded: () => void
  children: ReactNode
}

/** Runs actions: directly, or through a dialog. Its code that comes late opens nothing over what the person does by then. */
export function ActionHost({ onUnloaded, children }: ActionHostProps) {
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
      const { pathname } = location
      dialogCode.preload().then(() => {
        if (location.pathname !== pathname) return
        setAsked((before) => ({ run: offer.run, ...options, offer, attempt: (before?.attempt ?? 0) + 1 }))
        setOpen(true)
      }, onUnloaded)
    },
    [runOne, onUnloaded],
  )
  return (
    <StartContext value={start}>
      {children}
      {asked && (
        <LazyView key={asked.attempt} code={dialogCode} props={{ ...asked, open: isOpen, onClose: () => setOpen(false) }} />
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
