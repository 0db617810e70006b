import { type FormEvent, useState } from 'react'
import { passkeyWords } from '#pages/factor/passkey-words.ts'
import { usePasskey } from '#pages/factor/use-passkey.ts'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { TextInput } from '#ui/input/text-input.tsx'

type PasskeyFormProps = {
  /** The name that it has; without one it is a new passkey, and may be named by its browser. */
  former?: string
  /** Rejects with what went wrong. */
  onSave: (name: string) => Promise<void>
}

/** Asks how a passkey is called; the device of a new one asks for finger, face or PIN after it. */
export function PasskeyForm({ former, onSave }: PasskeyFormProps) {
  const sayLabel = useSayLabel()
  const [name, setName] = useState(former ?? '')
  const isNew = former === undefined
  const { run, message, isBusy } = usePasskey()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void run(() => onSave(name.trim()))
  }
  return (
    <form className="shell-form" noValidate onSubmit={handleSubmit}>
      {message && <Banner tone="bad">{message}</Banner>}
      <FormField
        id="passkey-name"
        label={sayLabel(passkeyWords.name)}
        hint={sayLabel(isNew ? passkeyWords.nameHint : passkeyWords.renameHint)}
      >
        {(control) => <TextInput {...control} autoFocus autoComplete="off" maxLength={64} value={name} onChange={setName} />}
      </FormField>
      <Button kind="primary" type="submit" icon="key" busy={isBusy} disabled={!isNew && name.trim() === ''}>
        {sayLabel(isNew ? passkeyWords.next : passkeyWords.save)}
      </Button>
    </form>
  )
}
