import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import { useLocation } from 'react-router'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldWords } from '#fields/words.ts'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { LoadFailed } from '#views/screens.tsx'
import { deletionOffer } from '#views/shared/deletion-offer.ts'
import { useRunDeletion } from '#views/shared/use-run-deletion.ts'
import { ActionConfirm } from './action-confirm.tsx'
import { ActionForm } from './action-form.tsx'
import type { ActionOffer, RunOptions } from './action-offer.ts'
import { useActionTitle } from './confirm-text.tsx'
import { RevealDialog } from './reveal-dialog.tsx'
import { useReveal } from './use-reveal.ts'
import { useRunAction } from './use-run-action.ts'

export type ActionDialogProps = {
  offer: ActionOffer
  open: boolean
  onClose: () => void
  /** Replaces the run on the offer's record: for bulk actions. */
  run?: ((options: RunOptions) => Promise<unknown>) | undefined
  /** The text that names the subject of the action. */
  note?: string | undefined
  /** The selected records of a bulk action. */
  rows?: ReadonlyMap<string, Row> | undefined
  /** Called when the record has been deleted. */
  after?: (() => void) | undefined
  onClosed?: (() => void) | undefined
}

/** Asks before an action runs: by its form, or by a plain confirmation. */
export function ActionDialog({ offer: given, open, onClose, onClosed, run, note, rows, after }: ActionDialogProps) {
  const language = useLanguage()
  const offer = useMemo(() => (given.isDeletion ? deletionOffer(given, language) : given), [given, language])
  const runOne = useRunAction()
  const remove = useRunDeletion()
  const { shown, take, show, close, forget } = useReveal(offer)
  const isBusy = useRef(false)
  const send = async (options: RunOptions) => {
    isBusy.current = true
    try {
      if (run) take(await run(options))
      else if (offer.isDeletion) await remove(offer, after)
      else take(await runOne(offer, options))
    } finally {
      isBusy.current = false
    }
  }
  useCloseWithPage(onClose, isBusy)
  const handleClosed = () => {
    show()
    onClosed?.()
  }
  const asked = { offer, open, onClose, note, rows, onClosed: handleClosed }
  return (
    <>
      {offer.action.form ? <FormDialog {...asked} run={send} /> : <ActionConfirm {...asked} run={() => send({})} />}
      {shown && <RevealDialog {...shown} onClose={close} onClosed={forget} />}
    </>
  )
}

/** Closes when its page is left, unless the action runs. */
function useCloseWithPage(onClose: () => void, isBusy: RefObject<boolean>): void {
  const { pathname } = useLocation()
  const place = useRef(pathname)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (place.current !== pathname && !isBusy.current) close.current()
    place.current = pathname
  }, [pathname, isBusy])
}

type FormDialogProps = Omit<ActionDialogProps, 'run'> & {
  run: (options: RunOptions) => Promise<unknown>
  onClosed: () => void
}

function FormDialog({ offer, open, onClose, onClosed, run, note, rows }: FormDialogProps) {
  const sayLabel = useSay()
  const filling = useFilling(offer)
  const title = useActionTitle(offer, rows !== undefined)
  if (filling.isReady) {
    const send = (values: Record<string, unknown>, from: unknown) => run({ values, from })
    return <ActionForm {...{ offer, open, onClose, onClosed, note, rows, title }} from={filling.data} run={send} />
  }
  return (
    <ModalDialog open={open} title={title} onClose={onClose}>
      {filling.error ? (
        <LoadFailed asPage={false} error={filling.error} onRetry={filling.retry} />
      ) : (
        <>
          <span className="ui-hidden">{sayLabel(fieldWords.loading)}</span>
          <Skeleton lines={4} height={20} />
        </>
      )}
    </ModalDialog>
  )
}

/** Initial values of an action's form, loaded each time it opens. */
function useFilling({ action, id }: ActionOffer) {
  const dataProvider = useDataProvider()
  const path = action.from && id !== undefined ? action.from.replaceAll('{id}', encodeURIComponent(id)) : undefined
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['action-filling', path],
    queryFn: async ({ signal, queryKey, client }): Promise<unknown> => {
      const { custom } = dataProvider()
      const answer = await custom?.({ url: path ?? '', method: 'get', meta: { queryContext: { signal, queryKey, client } } })
      return answer?.data ?? {}
    },
    enabled: path !== undefined,
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const isReady = path === undefined || (data !== undefined && !isFetching)
  return { data, error, retry: () => void refetch(), isReady }
}
