import { useSay } from '#fields/definitions.tsx'
import { Button } from '#ui/input/button.tsx'
import { referenceWords } from './reference-words.ts'

type DraftActionsProps = {
  isReady: boolean
  /** Reason why the action is disabled. */
  title?: string | undefined
  isBusy: boolean
  onLook: () => void
  onCancel: () => void
}

/** Actions of an edited row of reference data: preview before write. */
export function DraftActions({ isReady, title, isBusy, onLook, onCancel }: DraftActionsProps) {
  const sayLabel = useSay()
  return (
    <span className="ui-actions">
      <Button size="small" kind="primary" disabled={!isReady} title={title} busy={isBusy} onClick={onLook}>
        {sayLabel(referenceWords.preview)}
      </Button>
      <Button size="small" onClick={onCancel}>
        {sayLabel(referenceWords.cancel)}
      </Button>
    </span>
  )
}
