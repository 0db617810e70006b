import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { CopyButton } from '#ui/input/copy-button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { factorWords } from './factor-words.ts'
import { useSayLabel } from './use-say-label.ts'

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
