import { Suspense, useRef, useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { ConfirmDialog } from '#ui/antd/lazy-antd.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { BulkOutlook } from '#views/bulk/bulk-outlook.tsx'
import { bulkWords } from '#views/bulk/bulk-words.ts'
import { useBulkOutlook } from '#views/bulk/use-bulk-outlook.ts'
import { type Problem, problemOf } from '#views/shared/problem.ts'
import { useDanger } from '#views/shared/use-danger.ts'
import { type ActionOffer, wordToType } from './action-offer.ts'
import { ConfirmText, useActionTitle } from './confirm-text.tsx'

const RecordOutlook = lazyCode(() =>
  import('#views/form/outlook/record-outlook.tsx').then((module) => ({ default: module.RecordOutlook })),
)

const RecordUses = lazyCode(() => import('./record-uses.tsx').then((module) => ({ default: module.RecordUses })))

export type ActionConfirmProps = {
  offer: ActionOffer
  open: boolean
  onClose: () => void
  onClosed?: (() => void) | undefined
  run: () => Promise<unknown>
  note?: string | undefined
  rows?: ReadonlyMap<string, Row> | undefined
}

/** Confirms an action without a form. The dialog stays open to show a refusal. */
export function ActionConfirm({ offer, open, onClose, onClosed, run, note, rows }: ActionConfirmProps) {
  const sayLabel = useSay()
  const { label, confirm } = offer.action
  const title = useActionTitle(offer, rows !== undefined)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Problem>()
  const [count, setCount] = useState<number | null>()
  const isSent = useRef(false)
  const counted = rows ? undefined : confirm?.outlook && offer.record
  // When the count fails, assume many records and ask for the typed confirmation.
  const isWaiting = counted !== undefined && count === undefined
  const isMany = confirm?.typeAbove === undefined || (count ?? Number.POSITIVE_INFINITY) > confirm.typeAbove
  const handleConfirm = async () => {
    if (isSent.current) return
    isSent.current = true
    setBusy(true)
    setRefusal(undefined)
    try {
      await run()
      onClose()
    } catch (error) {
      setRefusal(problemOf(error))
    } finally {
      isSent.current = false
      setBusy(false)
    }
  }
  const isDanger = useDanger(offer.action.confirm, rows ? undefined : offer.record)
  const forecast = useBulkOutlook(offer.action, rows)
  const word = wordToType(offer, rows && forecast.able)
  const body = (
    <>
      {note && <p>{note}</p>}
      <ConfirmText offer={offer} isMany={rows !== undefined} />
      {counted && (
        <Suspense fallback={null}>
          <RecordOutlook resource={offer.resource} record={counted} onCount={setCount} />
        </Suspense>
      )}
      {rows && <BulkOutlook resource={offer.resource} forecast={forecast} />}
      {refusal && (
        <p className="ui-field-error" role="alert">
          {refusal.message}
        </p>
      )}
      {refusal?.uses !== undefined && (
        <Suspense fallback={null}>
          <RecordUses uses={refusal.uses} />
        </Suspense>
      )}
    </>
  )
  return (
    <ConfirmDialog
      open={open}
      title={title}
      body={body}
      confirmText={sayLabel(label)}
      danger={isDanger}
      typeToConfirm={isMany && !isWaiting ? word : undefined}
      typeLabel={rows && sayLabel(bulkWords.typeCount, { count: word })}
      waiting={isWaiting}
      refused={forecast.refusal}
      busy={isBusy}
      onConfirm={() => void handleConfirm()}
      onCancel={onClose}
      onClosed={onClosed}
    />
  )
}
