import { type SyntheticEvent, useId, useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { Button } from '#ui/button.tsx'
import { FormField } from '#ui/form-field.tsx'
import { ModalDialog } from '#ui/heavy.ts'
import { TextInput } from '#ui/text-input.tsx'
import { fillWord, useUiWords } from '#ui/ui-words.tsx'
import { DraftOffer } from '#views/form/draft-offer.tsx'
import { FaultSummary } from '#views/form/fault-summary.tsx'
import { FormChecks } from '#views/form/form-checks.tsx'
import { FormFields } from '#views/form/form-fields.tsx'
import { LeaveDialog } from '#views/form/leave-dialog.tsx'
import { viewWords } from '#views/words.ts'
import { type ActionOffer, wordToType } from './action-offer.ts'
import { useActionForm } from './use-action-form.ts'
import { useCloseGuard } from './use-close-guard.ts'

const newRecord = {}

export type ActionFormProps = {
  offer: ActionOffer
  open: boolean
  onClose: () => void
  title: string
  from: unknown
  run: (values: Record<string, unknown>) => Promise<unknown>
  note?: string | undefined
}

/** An action's form in a dialog: the same inputs and checks as a record's form. */
export function ActionForm({ offer, open, onClose: close, title, from, run, note }: ActionFormProps) {
  const sayLabel = useSay()
  const formId = useId()
  const { label, confirm } = offer.action
  const { state, fields, submit, isBusy, draft, restore } = useActionForm({ offer, from, run, onDone: close })
  const onClose = () => {
    draft.forget()
    close()
  }
  const { canClose, blocker } = useCloseGuard(open && state.changed.length > 0, isBusy)
  const word = wordToType(offer)
  const [typed, setTyped] = useState('')
  const isReady = word === undefined || typed.trim() === word
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (isReady) void submit()
  }
  const isLarge = Object.values(fields).some(({ type }) => type === 'group' || type === 'list')
  const footer = (
    <>
      <Button onClick={onClose} disabled={isBusy}>
        {sayLabel(viewWords.cancel)}
      </Button>
      <Button type="submit" form={formId} kind={confirm?.danger ? 'danger' : 'primary'} busy={isBusy} disabled={!isReady}>
        {sayLabel(label)}
      </Button>
    </>
  )
  return (
    <ModalDialog
      open={open}
      title={title}
      onClose={onClose}
      canClose={canClose}
      footer={footer}
      widthPx={isLarge ? 860 : undefined}
    >
      <form id={formId} className="form-dialog" noValidate onSubmit={handleSubmit} aria-busy={isBusy || undefined}>
        <DraftOffer draft={draft} onRestore={restore} />
        {note && <p>{note}</p>}
        {confirm && <p>{sayLabel(confirm.body)}</p>}
        <FaultSummary findings={state.summary.filter(({ path }) => !Object.hasOwn(fields, path))} fields={fields} />
        <FormFields
          fields={fields}
          names={Object.keys(fields)}
          state={state}
          record={offer.record ?? offer.row ?? newRecord}
          disabled={isBusy}
          columns={1}
        />
        {offer.action.checks && (
          <FormChecks checks={offer.action.checks} values={state.form.values} record={offer.record ?? newRecord} />
        )}
        {word !== undefined && <TypedWord word={word} value={typed} onChange={setTyped} />}
      </form>
      <LeaveDialog blocker={blocker} onLeave={onClose} />
    </ModalDialog>
  )
}

function TypedWord({ word, value, onChange }: { word: string; value: string; onChange: (value: string) => void }) {
  const words = useUiWords()
  return (
    <FormField label={fillWord(words.typeToConfirm, { text: word })}>
      {(control) => <TextInput {...control} code autoComplete="off" spellCheck={false} value={value} onChange={onChange} />}
    </FormField>
  )
}
