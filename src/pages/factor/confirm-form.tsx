import { type FormEvent, useId, useState } from 'react'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { PasswordInput } from '#ui/input/password-input.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { CodeField } from './code-field.tsx'
import { ConfirmDialog, ConfirmText } from './confirm-dialog.tsx'
import { factorWords } from './factor-words.ts'
import { useSayLabel } from './use-say-label.ts'

export type ConfirmFormProps = {
  /** A second factor if the user has one, else the password. */
  by: 'code' | 'password'
  /** `only`: without an app, only recovery codes are left. */
  recovery?: 'too' | 'only'
  /** Rejects with a problem. */
  send: (proof: { code?: string; password?: string }) => Promise<void>
  /** True once it was confirmed. */
  onEnd: (isConfirmed: boolean) => void
}

/** Step-up by a code or password. */
export function ConfirmForm({ by, recovery = 'too', send, onEnd }: ConfirmFormProps) {
  const sayLabel = useSayLabel()
  const formId = useId()
  const [typed, setTyped] = useState('')
  const [message, setMessage] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    setMessage(undefined)
    try {
      await send({ [by]: by === 'code' ? typed.trim() : typed })
      onEnd(true)
    } catch (error) {
      setMessage(problemOf(error).message)
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (typed && !isBusy) void confirm()
  }
  const primary = (
    <Button kind="primary" type="submit" form={formId} busy={isBusy} disabled={!typed}>
      {sayLabel(factorWords.confirm)}
    </Button>
  )
  return (
    <ConfirmDialog primary={primary} onCancel={() => onEnd(false)}>
      <form id={formId} className="shell-form" noValidate onSubmit={handleSubmit}>
        <ConfirmText message={message} />
        {by === 'code' ? (
          <CodeField value={typed} onChange={setTyped} recovery={recovery} />
        ) : (
          <FormField label={sayLabel(factorWords.password)} id="confirm-password">
            {(control) => (
              <PasswordInput {...control} name="password" autoComplete="current-password" value={typed} onChange={setTyped} />
            )}
          </FormField>
        )}
      </form>
    </ConfirmDialog>
  )
}
