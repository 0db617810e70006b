import type { ReactNode } from 'react'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { factorWords } from './factor-words.ts'
import { useSayLabel } from './use-say-label.ts'

type ConfirmDialogProps = {
  primary: ReactNode
  onCancel: () => void
  children: ReactNode
}

/** Common dialog of all step-up methods. */
export function ConfirmDialog({ primary, onCancel, children }: ConfirmDialogProps) {
  const sayLabel = useSayLabel()
  const footer = (
    <>
      <Button onClick={onCancel}>{sayLabel(factorWords.cancel)}</Button>
      {primary}
    </>
  )
  return (
    <ModalDialog sticky open title={sayLabel(factorWords.confirmTitle)} widthPx={440} footer={footer} onClose={onCancel}>
      {children}
    </ModalDialog>
  )
}

/** Reason for the step-up, and the error. */
export function ConfirmText({ message }: { message: string | undefined }) {
  const sayLabel = useSayLabel()
  return (
    <>
      <p>{sayLabel(factorWords.confirmText)}</p>
      {message && <Banner tone="bad">{message}</Banner>}
    </>
  )
}
