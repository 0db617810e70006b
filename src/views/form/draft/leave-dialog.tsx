import { useSay } from '#fields/definitions.tsx'
import { ConfirmDialog } from '#ui/antd/lazy-antd.ts'
import { formWords } from '#views/form/form-words.ts'
import type { Blocker } from '#views/shared/navigation-blocker.ts'

export type LeaveDialogProps = { blocker: Blocker; onLeave?: () => void }

/** Asks whether unsaved changes may be lost. */
export function LeaveDialog({ blocker, onLeave }: LeaveDialogProps) {
  const sayLabel = useSay()
  if (blocker.state !== 'blocked') return null
  const leave = () => {
    onLeave?.()
    blocker.proceed()
  }
  return (
    <ConfirmDialog
      open
      danger
      title={sayLabel(formWords.leaveTitle)}
      body={sayLabel(formWords.leaveText)}
      confirmText={sayLabel(formWords.leave)}
      cancelText={sayLabel(formWords.stay)}
      onConfirm={leave}
      onCancel={() => blocker.reset()}
    />
  )
}
