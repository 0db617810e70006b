import { useConsole } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import { factorWords } from '#pages/factor/factor-words.ts'
import { RecoveryCodes } from '#pages/factor/recovery-codes.tsx'
import { TotpSetup } from '#pages/factor/totp-setup.tsx'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { ConfirmDialog, ModalDialog } from '#ui/antd/lazy-antd.ts'
import { useKeepFirst } from '#ui/antd/use-keep-first.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { type Factor, useFactor } from './use-factor.ts'

function FactorDialog({ factor }: { factor: Factor }) {
  const sayLabel = useSayLabel()
  const { dialog, close, confirm, remove, isBusy, hasPasskeys } = factor
  const { isHeld, canClose } = useKeepFirst(dialog?.kind === 'codes')
  if (!dialog) return null
  if (dialog.kind === 'remove')
    return (
      <ConfirmDialog
        open
        danger
        title={sayLabel(factorWords[hasPasskeys ? 'removeApp' : 'removeTitle'])}
        body={sayLabel(factorWords[hasPasskeys ? 'removeAppText' : 'removeText'])}
        confirmText={sayLabel(factorWords.remove)}
        busy={isBusy}
        onConfirm={() =>
          void remove(() =>
            openNotification({ kind: 'success', title: sayLabel(factorWords[hasPasskeys ? 'removedApp' : 'removed']) }),
          )
        }
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
      canClose={canClose}
    >
      {dialog.kind === 'setup' ? (
        <TotpSetup enrolment={dialog.enrolment} onConfirm={confirm} />
      ) : (
        <RecoveryCodes codes={dialog.codes} isHeld={isHeld} onKept={close} />
      )}
    </ModalDialog>
  )
}

/** Configured factors and their actions. */
function FactorFacts({ factor }: { factor: Factor }) {
  const sayLabel = useSayLabel()
  const { language, zone } = useConsole()
  const { state, hasPasskeys, isBusy } = factor
  if (!state) return <Skeleton lines={2} height={20} />
  const { totpAt, recoveryLeft, required } = state
  const on = totpAt && sayLabel(factorWords.on, { time: formatMoment(totpAt, language, zone) })
  return (
    <div className="shell-form">
      {on ? <p>{on}</p> : <p className="shell-own-note">{sayLabel(factorWords[hasPasskeys ? 'noApp' : 'off'])}</p>}
      {(on || hasPasskeys) && <p className="shell-own-note">{sayLabel(factorWords.left, { count: recoveryLeft })}</p>}
      {required && <p className="shell-own-note">{sayLabel(factorWords.required)}</p>}
      <div className="ui-actions">
        {!on && (
          <Button icon="key" busy={isBusy} onClick={() => void factor.begin()}>
            {sayLabel(factorWords.begin)}
          </Button>
        )}
        {(on || hasPasskeys) && (
          <Button busy={isBusy} onClick={() => void factor.renew()}>
            {sayLabel(factorWords.renew)}
          </Button>
        )}
        {on && (hasPasskeys || !required) && <Button onClick={factor.askRemoval}>{sayLabel(factorWords.remove)}</Button>}
      </div>
    </div>
  )
}

/** Authenticator app and recovery codes of the own account. */
export function FactorCard() {
  const sayLabel = useSayLabel()
  const factor = useFactor()
  if (factor.isUnknown) return null
  return (
    <Card title={sayLabel(factorWords.title)}>
      <FactorFacts factor={factor} />
      <FactorDialog factor={factor} />
    </Card>
  )
}
