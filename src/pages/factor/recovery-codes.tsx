import { useState } from 'react'
import type { CloseGuard } from '#ui/antd/use-guarded-close.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { CopyButton } from '#ui/input/copy-button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { factorWords } from './factor-words.ts'
import { useSayLabel } from './use-say-label.ts'

/** A guard of the dialog that shows codes: they are not shown again, so that only their button closes it. */
export function useKeepFirst(isShown: boolean): { isHeld: boolean; canClose: CloseGuard | undefined } {
  const [isHeld, setHeld] = useState(false)
  if (isHeld && !isShown) setHeld(false)
  const hold = () => {
    setHeld(true)
    return false
  }
  return { isHeld, canClose: isShown ? hold : undefined }
}

type RecoveryCodesProps = {
  codes: readonly string[]
  /** Somebody tried to close the dialog without its button. */
  isHeld?: boolean
  onKept: () => void
}

export function RecoveryCodes({ codes, isHeld = false, onKept }: RecoveryCodesProps) {
  const sayLabel = useSayLabel()
  const text = codes.join('\n')
  return (
    <div className="shell-form">
      {isHeld && <Banner tone="warn">{sayLabel(factorWords.keepFirst)}</Banner>}
      <FormField
        label={sayLabel(factorWords.recoveryTitle)}
        hint={sayLabel(factorWords.recoveryText)}
        extra={<CopyButton text={text}>{sayLabel(factorWords.copy)}</CopyButton>}
      >
        {({ status: _, ...native }) => (
          <textarea {...native} className="ui-secret" readOnly rows={codes.length} spellCheck={false} value={text} />
        )}
      </FormField>
      <Button kind="primary" autoFocus onClick={onKept}>
        {sayLabel(factorWords.kept)}
      </Button>
    </div>
  )
}
