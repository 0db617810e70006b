import { useState } from 'react'
import { Button } from '#ui/input/button.tsx'
import { ConfirmDialog, ConfirmText } from './confirm-dialog.tsx'
import { ConfirmForm, type ConfirmFormProps } from './confirm-form.tsx'
import { signByPasskey } from './passkey-device.ts'
import { passkeyWords } from './passkey-words.ts'
import { usePasskey } from './use-passkey.ts'
import { useSayLabel } from './use-say-label.ts'

type ConfirmFactorProps = Pick<ConfirmFormProps, 'send' | 'onEnd' | 'recovery'> & {
  /** Loads the WebAuthn options. */
  begin: () => Promise<unknown>
  /** Rejects with a problem. */
  finish: (proof: { response: object }) => Promise<void>
}

/** Step-up by a passkey, with a code as the alternative. */
export function ConfirmFactor({ begin, finish, onEnd, ...byCode }: ConfirmFactorProps) {
  const sayLabel = useSayLabel()
  const { run, message, isBusy } = usePasskey()
  const [isByCode, setByCode] = useState(false)
  if (isByCode) return <ConfirmForm by="code" onEnd={onEnd} {...byCode} />
  const confirm = async () => {
    await finish({ response: await signByPasskey(await begin()) })
    onEnd(true)
  }
  const primary = (
    <Button kind="primary" icon="key" data-autofocus busy={isBusy} onClick={() => void run(confirm)}>
      {sayLabel(passkeyWords.use)}
    </Button>
  )
  return (
    <ConfirmDialog primary={primary} onCancel={() => onEnd(false)}>
      <div className="shell-form">
        <ConfirmText message={message} />
        <Button kind="text" size="small" className="shell-form-aside" onClick={() => setByCode(true)}>
          {sayLabel(passkeyWords.useCode)}
        </Button>
      </div>
    </ConfirmDialog>
  )
}
