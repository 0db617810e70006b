import { useSay } from '#fields/definitions.tsx'
import type { Reveal } from '#schema/facts/action-facts.ts'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { useKeepFirst } from '#ui/antd/use-keep-first.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { CopyButton } from '#ui/input/copy-button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { SecretText } from '#ui/input/secret-text.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { revealWords } from './reveal-words.ts'

export type RevealDialogProps = {
  reveals: Reveal
  secret: string
  open: boolean
  onClose: () => void
  onClosed: () => void
}

/**
 * Shows a one-time secret: Esc and the close button do not dismiss it. Without clipboard access the text is selected for
 * copying by hand.
 */
export function RevealDialog({ reveals, secret, open, onClose, onClosed }: RevealDialogProps) {
  const sayLabel = useSay()
  const words = useUiWords()
  const { isHeld, canClose } = useKeepFirst(open)
  const title = sayLabel(reveals.label)
  const command = reveals.command?.replace('{origin}', window.location.origin).replace('{secret}', secret)
  const footer = (
    <Button kind="primary" onClick={onClose}>
      {sayLabel(revealWords.stored)}
    </Button>
  )
  return (
    <ModalDialog sticky open={open} title={title} footer={footer} canClose={canClose} {...{ onClose, onClosed }}>
      {isHeld && <Banner tone="warn">{sayLabel(revealWords.storeFirst)}</Banner>}
      <FormField label={title} hint={sayLabel(reveals.text)} extra={<CopyButton text={secret}>{words.copy}</CopyButton>}>
        {(control) => <SecretText text={secret} control={control} />}
      </FormField>
      {command && (
        <FormField label={sayLabel(revealWords.tryIt)} extra={<CopyButton text={command}>{words.copy}</CopyButton>}>
          {(control) => <SecretText text={command} control={control} />}
        </FormField>
      )}
    </ModalDialog>
  )
}
