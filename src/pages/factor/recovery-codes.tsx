import { Button } from '#ui/input/button.tsx'
import { CopyButton } from '#ui/input/copy-button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { factorWords } from './factor-words.ts'
import { useSayLabel } from './use-say-label.ts'

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const sayLabel = useSayLabel()
  const text = codes.join('\n')
  return (
    <div className="shell-form">
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
