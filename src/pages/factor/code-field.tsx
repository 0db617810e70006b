import { useState } from 'react'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { factorWords } from './factor-words.ts'
import { useSayLabel } from './use-say-label.ts'

type CodeFieldProps = {
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  /** `too`: a recovery code is also accepted; `only`: nothing else is. */
  recovery?: 'too' | 'only'
}

/** Code input with initial focus; phones show a numeric keyboard, or letters for a recovery code. */
export function CodeField({ value, onChange, error, recovery }: CodeFieldProps) {
  const sayLabel = useSayLabel()
  const [isRecovery, setRecovery] = useState(recovery === 'only')
  const swap = () => {
    setRecovery(!isRecovery)
    onChange('')
  }
  return (
    <>
      <FormField
        key={String(isRecovery)}
        id="code"
        label={sayLabel(factorWords[isRecovery ? 'recoveryCode' : 'code'])}
        error={error}
      >
        {(control) => (
          <TextInput
            {...control}
            name="code"
            code
            autoFocus
            autoComplete="one-time-code"
            inputMode={isRecovery ? 'text' : 'numeric'}
            spellCheck={false}
            maxLength={40}
            value={value}
            onChange={onChange}
          />
        )}
      </FormField>
      {recovery === 'too' && (
        <Button kind="text" size="small" onClick={swap}>
          {sayLabel(factorWords[isRecovery ? 'useApp' : 'useRecovery'])}
        </Button>
      )}
    </>
  )
}
