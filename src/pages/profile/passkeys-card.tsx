import { useConsole } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import { factorWords } from '#pages/factor/factor-words.ts'
import { knowsPasskeys, takesPasskeys } from '#pages/factor/passkey-device.ts'
import { passkeyWords } from '#pages/factor/passkey-words.ts'
import { RecoveryCodes } from '#pages/factor/recovery-codes.tsx'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { ConfirmDialog, ModalDialog } from '#ui/antd/lazy-antd.ts'
import { useKeepFirst } from '#ui/antd/use-keep-first.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { Button } from '#ui/input/button.tsx'
import { OwnList } from './own-list.tsx'
import { PasskeyForm } from './passkey-form.tsx'
import type { Passkey } from './use-factor.ts'
import { type Passkeys, usePasskeys } from './use-passkeys.ts'

function PasskeyDialog({ passkeys }: { passkeys: Passkeys }) {
  const sayLabel = useSayLabel()
  const { dialog, close, add, rename, remove, isBusy } = passkeys
  const { isHeld, canClose } = useKeepFirst(dialog?.kind === 'codes')
  if (!dialog) return null
  const tell = (title: string) => openNotification({ kind: 'success', title })
  if (dialog.kind === 'remove')
    return (
      <ConfirmDialog
        open
        danger
        title={sayLabel(passkeyWords.removeTitle, { name: dialog.passkey.name })}
        body={sayLabel(passkeyWords.removeText)}
        confirmText={sayLabel(passkeyWords.remove)}
        busy={isBusy}
        onConfirm={() => void remove(dialog.passkey, () => tell(sayLabel(passkeyWords.removed)))}
        onCancel={close}
      />
    )
  if (dialog.kind === 'rename') {
    const { passkey } = dialog
    const save = (name: string) => rename(passkey, name, () => tell(sayLabel(passkeyWords.renamed)))
    return (
      <ModalDialog sticky open title={sayLabel(passkeyWords.renameTitle)} widthPx={440} onClose={close}>
        <PasskeyForm former={passkey.name} onSave={save} />
      </ModalDialog>
    )
  }
  const isNew = dialog.kind === 'add'
  return (
    <ModalDialog
      sticky
      open
      title={sayLabel(isNew ? passkeyWords.add : factorWords.recoveryTitle)}
      widthPx={440}
      onClose={close}
      canClose={canClose}
    >
      {dialog.kind === 'codes' ? (
        <RecoveryCodes codes={dialog.codes} isHeld={isHeld} onKept={close} />
      ) : (
        <PasskeyForm onSave={(name) => add(name, () => tell(sayLabel(passkeyWords.added)))} />
      )}
    </ModalDialog>
  )
}

/** Button to add a passkey, or the reason why this origin cannot. */
function AddPasskey({ origin, onAdd }: { origin: string | null; onAdd: () => void }) {
  const sayLabel = useSayLabel()
  if (takesPasskeys(origin))
    return (
      <div>
        <Button icon="key" onClick={onAdd}>
          {sayLabel(passkeyWords.add)}
        </Button>
      </div>
    )
  const isElsewhere = origin !== null && origin !== location.origin
  const reason = isElsewhere ? 'elsewhere' : knowsPasskeys() ? 'nowhere' : 'unknown'
  return <p className="shell-own-note">{sayLabel(passkeyWords[reason], { origin: origin ?? '' })}</p>
}

/** Passkeys of the own account; hidden when a third-party server lacks them. */
export function PasskeysCard() {
  const sayLabel = useSayLabel()
  const { language, zone } = useConsole()
  const passkeys = usePasskeys()
  const { state, refetch, askName, askOtherName, askRemoval } = passkeys
  const moment = (time: string) => ({ time: formatMoment(time, language, zone) })
  const usedAt = ({ lastUsedAt }: Passkey) =>
    lastUsedAt === null ? sayLabel(passkeyWords.unused) : sayLabel(passkeyWords.used, moment(lastUsedAt))
  if (!state?.passkeys) return null
  const { passkeys: rows, passkeyOrigin = null, required, totpAt } = state
  const isKept = required && totpAt === null && rows.length === 1
  return (
    <OwnList
      title={sayLabel(passkeyWords.title)}
      hint={sayLabel(passkeyWords.lead)}
      none={sayLabel(passkeyWords.none)}
      own={{ rows, isError: false, refetch }}
      draw={(passkey) => ({
        title: passkey.name,
        note: `${sayLabel(passkeyWords.created, moment(passkey.createdAt))} · ${usedAt(passkey)}`,
        actions: (
          <span className="ui-actions">
            <Button size="small" onClick={() => askOtherName(passkey)}>
              {sayLabel(passkeyWords.rename)}
            </Button>
            {!isKept && (
              <Button size="small" icon="trash" onClick={() => askRemoval(passkey)}>
                {sayLabel(passkeyWords.remove)}
              </Button>
            )}
          </span>
        ),
      })}
    >
      <AddPasskey origin={passkeyOrigin} onAdd={askName} />
      <PasskeyDialog passkeys={passkeys} />
    </OwnList>
  )
}
