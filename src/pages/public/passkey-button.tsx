import { signByPasskey, takesPasskeys } from '#pages/factor/passkey-device.ts'
import { passkeyWords } from '#pages/factor/passkey-words.ts'
import { usePasskey } from '#pages/factor/use-passkey.ts'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { isObject } from '#schema/is-object.ts'
import { useShell } from '#shell/shell-services.ts'
import { Button } from '#ui/input/button.tsx'

type PasskeyButtonProps = { origin: string | undefined; onFault: (reason: string) => void }

/** Sign-in by a discoverable passkey: no e-mail is needed. */
export function PasskeyButton({ origin, onFault }: PasskeyButtonProps) {
  const sayLabel = useSayLabel()
  const { call, enter } = useShell()
  const { run, isBusy } = usePasskey()
  if (!takesPasskeys(origin)) return null
  const signIn = async () => {
    const begun = await call('POST', 'auth/passkey')
    if (!isObject(begun)) throw new Error('the server has answered no options')
    const response = await signByPasskey(begun.options)
    enter(await call('PUT', 'auth/passkey', { browser: begun.browser, response }))
  }
  return (
    <Button icon="key" busy={isBusy} onClick={() => void run(signIn, onFault)}>
      {sayLabel(passkeyWords.signIn)}
    </Button>
  )
}
