import { useConsole } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import { factorWords } from '#pages/factor/factor-words.ts'
import { RecoveryCodes } from '#pages/factor/recovery-codes.tsx'
import { TotpSetup } from '#pages/factor/totp-setup.tsx'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { ConfirmDialog, ModalDialog } from '#ui/antd/lazy-antd.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { type Factor, useFactor } from './use-factor.ts'

function FactorDialog({ factor }: { factor: Factor }) {
  const sayLabel = useSayLabel()
  const { dialog, close, confirm, remove, isBusy } = factor
  if (!dialog) return null
  if (dialog.kind === 'remove')
    return (
      <ConfirmDialog
        open
        danger
        title={sayLabel(factorWords.removeTitle)}
        body={sayLabel(factorWords.removeText)}
        confirmText={sayLabel(factorWords.remove)}
        busy={isBusy}
        onConfirm={() => void remove(() => openNotification({ kind: 'success', title: sayLabel(factorWords.removed) }))}
        onCancel={close}
      />
    )
  return (
    <ModalDialog
      sticky
      open
      title={sayLabel(factorWords[dialog.kind === 'setup' ? 'begin' : 'recoveryTitle'])}
      widthPx={440}
      onClose={close}
    >
      {dialog.kind === 'setup' ? (
        <TotpSetup enrolment={dialog.enrolment} onConfirm={confirm} />
      ) : (
        <RecoveryCodes codes={dialog.codes} onKept={close} />
      )}
    </ModalDialog>
  )
}

/** An authenticator app as the second factor of the own account, and its recovery codes. */
export function FactorCard() {
  const sayLabel = useSayLabel()
  const { language, zone } = useConsole()
  const factor = useFactor()
  const { state, isBusy, isUnknown } = factor
  if (isUnknown) return null
  return (
    <Card title={sayLabel(factorWords.title)}>
      {!state && <Skeleton lines={2} height={20} />}
      {state && !state.totpAt && (
        <div className="shell-form">
          <p className="shell-own-note">{sayLabel(factorWords.off)}</p>
          <div>
            <Button icon="key" busy={isBusy} onClick={() => void factor.begin()}>
              {sayLabel(factorWords.begin)}
            </Button>
          </div>
        </div>
      )}
      {state?.totpAt && (
        <div className="shell-form">
          <p>{sayLabel(factorWords.on, { time: formatMoment(state.totpAt, language, zone) })}</p>
          <p className="shell-own-note">{sayLabel(factorWords.left, { count: state.recoveryLeft })}</p>
          {state.required && <p className="shell-own-note">{sayLabel(factorWords.required)}</p>}
          <div className="ui-actions">
            <Button busy={isBusy} onClick={() => void factor.renew()}>
              {sayLabel(factorWords.renew)}
            </Button>
            {!state.required && <Button onClick={factor.askRemoval}>{sayLabel(factorWords.remove)}</Button>}
          </div>
        </div>
      )}
      <FactorDialog factor={factor} />
    </Card>
  )
}
