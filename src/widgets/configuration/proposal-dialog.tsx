import { type SyntheticEvent, useId } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { TextInput } from '#ui/input/text-input.tsx'
import { formFieldsOf } from '#views/actions/form-fields-of.ts'
import { viewWords } from '#views/shared/words.ts'
import { configurationWords } from './configuration-words.ts'
import { type ProposalOptions, useProposal } from './use-proposal.ts'
import { ValueChanges } from './value-changes.tsx'

export type ProposalDialogProps = ProposalOptions & { open: boolean }

/** Review of a change: differences, reason, and the typed board code for protective values. */
export function ProposalDialog({ open, ...options }: ProposalDialogProps) {
  const { proposal, onDone } = options
  const sayLabel = useSay()
  const formId = useId()
  const state = useProposal(options)
  const handleSubmit = (event: SyntheticEvent) => {
    event.preventDefault()
    void state.send()
  }
  const footer = (
    <>
      <Button onClick={onDone} disabled={state.isBusy}>
        {sayLabel(viewWords.cancel)}
      </Button>
      <Button
        type="submit"
        form={formId}
        kind={state.asksCode ? 'danger' : 'primary'}
        busy={state.isBusy}
        disabled={!state.isReady}
      >
        {sayLabel(proposal.label)}
      </Button>
    </>
  )
  return (
    <ModalDialog
      open={open}
      title={sayLabel(proposal.title, { version: proposal.version })}
      onClose={onDone}
      canClose={() => !state.isBusy}
      footer={footer}
      widthPx={760}
    >
      <form id={formId} className="form-dialog" noValidate onSubmit={handleSubmit} aria-busy={state.isBusy || undefined}>
        <ProposalBody options={options} state={state} />
      </form>
    </ModalDialog>
  )
}

type BodyProps = { options: ProposalOptions; state: ReturnType<typeof useProposal> }

function ProposalBody({ options: { proposal, fields, offer, code }, state }: BodyProps) {
  const sayLabel = useSay()
  const { reason, confirmCode } = formFieldsOf(offer.action)
  const { guard } = offer.action
  const why = guard && state.sync.danger.refusal ? guard.refusals[state.sync.danger.refusal] : undefined
  return (
    <>
      {state.isOvertaken && <Banner tone="warn">{sayLabel(configurationWords.overtaken)}</Banner>}
      {state.refusal && <Banner tone="bad">{state.refusal}</Banner>}
      {state.isBlocked && (
        <Banner tone="warn">{sayLabel(configurationWords.needsOther, { why: why ? sayLabel(why) : '' })}</Banner>
      )}
      {state.names.length > 0 ? (
        <ValueChanges
          fields={fields}
          names={state.names}
          before={state.sync.desired}
          after={state.desired}
          dangers={state.dangers}
          caption={sayLabel(configurationWords.changes)}
        />
      ) : (
        <p>{sayLabel(proposal.text ?? configurationWords.nothing)}</p>
      )}
      {reason && (
        <FormField label={sayLabel(reason.label)}>
          {(control) => <TextInput {...control} value={state.reason} onChange={state.setReason} disabled={state.isBusy} />}
        </FormField>
      )}
      {state.asksCode && confirmCode && guard && (
        <FormField label={sayLabel(confirmCode.label)} required hint={sayLabel(guard.ask, { value: code })}>
          {(control) => (
            <TextInput {...control} code autoComplete="off" spellCheck={false} value={state.typed} onChange={state.setTyped} />
          )}
        </FormField>
      )}
    </>
  )
}
