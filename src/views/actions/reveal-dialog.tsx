import { useSay } from '#fields/definitions.tsx'
import type { Reveal } from '#schema/facts/action-facts.ts'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { Button } from '#ui/input/button.tsx'
import { CopyButton } from '#ui/input/copy-button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { SecretText } from '#ui/input/secret-text.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { viewWords } from '#views/shared/words.ts'

export type RevealDialogProps = {
  reveals: Reveal
  secret: string
  open: boolean
  onClose: () => void
  onClosed: () => void
}

/** Shows a secret that an action has answered, once. Where the browser lends no clipboard, it is selected to be copied by hand. */
export function RevealDialog({ reveals, secret, open, onClose, onClosed }: RevealDialogProps) {
  const sayLabel = useSay()
  const words = useUiWords()
  const title = sayLabel(reveals.label)
  const footer = (
    <Button kind="primary" onClick={onClose}>
      {sayLabel(viewWords.done)}
    </Button>
  )
  return (
    <ModalDialog sticky open={open} title={title} footer={footer} {...{ onClose, onClosed }}>
      <FormField label={title} hint={sayLabel(reveals.text)} extra={<CopyButton text={secret}>{words.copy}</CopyButton>}>
        {(control) => <SecretText text={secret} control={control} />}
      </FormField>
    </ModalDialog>
  )
}
