import { type SyntheticEvent, useId, useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { RecordPlace } from '#fields/file/record-place.ts'
import type { Fields } from '#schema/field-types.ts'
import type { Label } from '#schema/words.ts'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { fillWord, useUiWords } from '#ui/theme/ui-words.tsx'
import { BulkOutlook } from '#views/bulk/bulk-outlook.tsx'
import { bulkWords } from '#views/bulk/bulk-words.ts'
import { useBulkOutlook } from '#views/bulk/use-bulk-outlook.ts'
import { FormChecks } from '#views/form/checks/form-checks.tsx'
import { DraftOffer } from '#views/form/draft/draft-offer.tsx'
import { LeaveDialog } from '#views/form/draft/leave-dialog.tsx'
import { FaultSummary } from '#views/form/fault-summary.tsx'
import { FormFields } from '#views/form/form-fields.tsx'
import { formWords } from '#views/form/form-words.ts'
import { StaleMerge } from '#views/form/merge/stale-merge.tsx'
import { useDanger } from '#views/shared/use-danger.ts'
import { viewWords } from '#views/shared/words.ts'
import { type ActionOffer, wordToType } from './action-offer.ts'
import { ConfirmText } from './confirm-text.tsx'
import { EndedRows } from './ended-rows.tsx'
import { useActionForm } from './use-action-form.ts'
import { useCloseGuard } from './use-close-guard.ts'

const newRecord = {}

export type ActionFormProps = {
  offer: ActionOffer
  open: boolean
  onClose: () => void
  onClosed?: (() => void) | undefined
  title: string
  from: unknown
  run: (values: Record<string, unknown>, from: unknown) => Promise<unknown>
  note?: string | undefined
  rows?: ReadonlyMap<string, Row> | undefined
}

/** An action's form in a dialog, with the same inputs and checks as a record's form. */
export function ActionForm({ offer, open, onClose: close, onClosed, title, from, run, note, rows }: ActionFormProps) {
  const sayLabel = useSay()
  const formId = useId()
  const { label, checks } = offer.action
  const isDanger = useDanger(offer.action.confirm, rows ? undefined : offer.record)
  const { state, faults, fields, submit, isBusy, draft, restore, merge, settle, summary } = useActionForm({
    offer,
    from,
    run,
    onDone: close,
  })
  const onClose = () => {
    draft.leave()
    close()
  }
  const { canClose, blocker } = useCloseGuard(open && state.changed.length > 0, isBusy)
  const cancel = async () => {
    if (await canClose()) onClose()
  }
  const [typed, setTyped] = useState('')
  const forecast = useBulkOutlook(offer.action, rows, state.form.values)
  const word = wordToType(offer, rows && forecast.able)
  const isReady = (word === undefined || typed.trim() === word) && !forecast.refusal
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (isReady) void submit()
  }
  const isLarge = Object.values(fields).some(({ type }) => type === 'group' || type === 'list')
  const about = offer.record ?? offer.row ?? newRecord
  const inputs = { fields, state, record: about, disabled: isBusy, columns: 1 } as const
  // An action may itself be called Cancel; the button that dismisses the dialog is then called Close.
  const leave = sayLabel(sayLabel(label) === sayLabel(viewWords.cancel) ? viewWords.close : viewWords.cancel)
  const footer = (
    <>
      <Button onClick={() => void cancel()} disabled={isBusy}>
        {leave}
      </Button>
      <Button
        type="submit"
        form={formId}
        kind={isDanger ? 'danger' : 'primary'}
        busy={isBusy}
        disabled={!isReady}
        title={forecast.refusal}
      >
        {sayLabel(label)}
      </Button>
    </>
  )
  return (
    <ModalDialog
      open={open}
      title={title}
      onClose={onClose}
      onClosed={onClosed}
      canClose={canClose}
      footer={merge.conflict ? undefined : footer}
      widthPx={isLarge ? 860 : undefined}
    >
      {merge.conflict && <ActionMerge {...{ merge, state, settle, isBusy }} conflict={merge.conflict} />}
      <form
        id={formId}
        className="form-dialog"
        hidden={merge.conflict !== undefined}
        noValidate
        onSubmit={handleSubmit}
        aria-busy={isBusy || undefined}
      >
        <DraftOffer draft={draft} onRestore={restore} />
        {note && <p>{note}</p>}
        <ConfirmText offer={offer} isMany={rows !== undefined} />
        {offer.action.ends && <EndedRows resource={offer.resource} record={offer.record} ends={offer.action.ends} />}
        <FaultSummary faults={faults.filter(({ path }) => !Object.hasOwn(fields, path))} fields={fields} ref={summary} />
        <RecordPlace value={offer.resource.name}>
          <FormFields {...inputs} names={Object.keys(fields).filter((name) => name !== checks?.override)} />
        </RecordPlace>
        <SendKeys fields={fields} />
        {checks && !rows && checks.many !== 'only' && (
          <FormChecks
            checks={checks}
            values={state.form.values}
            record={offer.record ?? newRecord}
            override={checks.override && <FormFields {...inputs} names={[checks.override]} />}
          />
        )}
        {offer.action.guard && <GuardAloud help={fields[offer.action.guard.confirm]?.help} />}
        {rows && <BulkOutlook resource={offer.resource} forecast={forecast} />}
        {word !== undefined && <TypedWord {...{ word, typed, rows }} onChange={setTyped} />}
      </form>
      <LeaveDialog blocker={blocker} onLeave={onClose} />
    </ModalDialog>
  )
}

/** The confirmation that a guard asks for appears far from what was changed: it is announced. */
function GuardAloud({ help }: { help: Label | undefined }) {
  const sayLabel = useSay()
  return (
    <p className="ui-hidden" aria-live="polite">
      {help && sayLabel(help)}
    </p>
  )
}

type ActionMergeProps = Pick<ReturnType<typeof useActionForm>, 'merge' | 'state' | 'settle' | 'isBusy'> & {
  conflict: NonNullable<ReturnType<typeof useActionForm>['merge']['conflict']>
}

/** Shown instead of the form after a conflict; the form keeps its values. */
const ActionMerge = ({ conflict, merge, state, settle, isBusy }: ActionMergeProps) => (
  <StaleMerge
    fields={conflict.parts}
    conflicts={conflict.paths}
    base={state.form.base}
    mine={state.form.values}
    theirs={conflict.theirs}
    busy={isBusy}
    confirm={formWords.takeChoice}
    onSave={settle}
    onCancel={merge.dismiss}
  />
)

type TypedWordProps = { word: string; typed: string; rows: ActionFormProps['rows']; onChange: (typed: string) => void }

function TypedWord({ word, typed, rows, onChange }: TypedWordProps) {
  const sayLabel = useSay()
  const words = useUiWords()
  const label = rows ? sayLabel(bulkWords.typeCount, { count: word }) : fillWord(words.typeToConfirm, { text: word })
  return (
    <FormField label={label}>
      {(control) => <TextInput {...control} code autoComplete="off" spellCheck={false} value={typed} onChange={onChange} />}
    </FormField>
  )
}

/** In a text of several lines Enter is a new line: the keys that send the form are said. */
function SendKeys({ fields }: { fields: Fields }) {
  const sayLabel = useSay()
  const hasText = Object.values(fields).some(({ type }) => type === 'longText')
  return hasText && <p className="ui-field-hint">{sayLabel(formWords.sendKeys)}</p>
}
