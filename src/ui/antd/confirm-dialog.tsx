import { type ReactNode, type SyntheticEvent, useId, useState } from 'react'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { fillWord, useUiWords } from '#ui/theme/ui-words.tsx'
import { ModalDialog } from './modal-dialog.tsx'

export type ConfirmDialogProps = {
  open: boolean
  title: ReactNode
  body?: ReactNode
  /** Label of the main button: the action, not "OK". */
  confirmText?: string | undefined
  cancelText?: string | undefined
  danger?: boolean | undefined
  /** Text to type before the main button is enabled. */
  typeToConfirm?: string | undefined
  /** The main button waits: the answer that decides whether it is enabled is still loading. */
  waiting?: boolean | undefined
  /** Reason why the main button is closed. */
  refused?: string | undefined
  /** Label of the input when the text to type is not plain text. */
  typeLabel?: string | undefined
  busy?: boolean | undefined
  onConfirm: () => void
  onCancel: () => void
  onClosed?: (() => void) | undefined
}

export function ConfirmDialog({ open, title, onCancel, onClosed, ...form }: ConfirmDialogProps) {
  const formId = useId()
  const words = useUiWords()
  const [typed, setTyped] = useState('')
  const isReady =
    !form.waiting && form.refused === undefined && (form.typeToConfirm === undefined || typed.trim() === form.typeToConfirm)
  const focusOn = form.typeToConfirm === undefined && (form.danger ? 'cancel' : 'confirm')
  // An action may itself be called Cancel; the button that dismisses the dialog is then called Close.
  const leave = form.confirmText === words.cancel ? words.close : words.cancel
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    // React events bubble through portals: without this, a form around the dialog would be submitted, too.
    event.stopPropagation()
    if (isReady && !form.busy) form.onConfirm()
  }
  const handleClosed = () => {
    setTyped('')
    onClosed?.()
  }
  const footer = (
    <>
      <Button onClick={onCancel} disabled={form.busy} data-autofocus={focusOn === 'cancel' || undefined}>
        {form.cancelText ?? leave}
      </Button>
      <Button
        type="submit"
        form={formId}
        kind={form.danger ? 'danger' : 'primary'}
        disabled={!isReady}
        title={form.refused}
        busy={form.busy}
        data-autofocus={focusOn === 'confirm' || undefined}
      >
        {form.confirmText ?? words.ok}
      </Button>
    </>
  )
  return (
    <ModalDialog
      open={open}
      title={title}
      widthPx={440}
      footer={footer}
      onClose={onCancel}
      canClose={() => !form.busy}
      onClosed={handleClosed}
    >
      <form id={formId} className="ui-confirm" onSubmit={handleSubmit}>
        {form.body && <div>{form.body}</div>}
        {form.typeToConfirm !== undefined && (
          <FormField label={form.typeLabel ?? fillWord(words.typeToConfirm, { text: form.typeToConfirm })}>
            {(control) => (
              <TextInput {...control} value={typed} onChange={setTyped} autoComplete="off" spellCheck={false} code />
            )}
          </FormField>
        )}
      </form>
    </ModalDialog>
  )
}
