import { type FormEvent, useState } from 'react'
import { passkeyWords } from '#pages/factor/passkey-words.ts'
import { usePasskey } from '#pages/factor/use-passkey.ts'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { TextInput } from '#ui/input/text-input.tsx'

/** Asks how a new passkey is called, before the device asks for finger, face or PIN. `onAdd` rejects with what went wrong. */
export function PasskeyForm({ onAdd }: { onAdd: (name: string) => Promise<void> }) {
  const sayLabel = useSayLabel()
  const [name, setName] = useState('')
  const { run, message, isBusy } = usePasskey()
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    void run(() => onAdd(name.trim()))
  }
  return (
    <form className="shell-form" noValidate onSubmit={handleSubmit}>
      {message && <Banner tone="bad">{message}</Banner>}
      <FormField id="passkey-name" label={sayLabel(passkeyWords.name)} hint={sayLabel(passkeyWords.nameHint)}>
        {(control) => <TextInput {...control} autoFocus autoComplete="off" maxLength={64} value={name} onChange={setName} />}
      </FormField>
      <Button kind="primary" type="submit" icon="key" busy={isBusy}>
        {sayLabel(passkeyWords.next)}
      </Button>
    </form>
  )
}
