import { signByPasskey, takesPasskeys } from '#pages/factor/passkey-device.ts'
import { passkeyWords } from '#pages/factor/passkey-words.ts'
import { usePasskey } from '#pages/factor/use-passkey.ts'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { isObject } from '#schema/is-object.ts'
import { useShell } from '#shell/shell-services.ts'
import { Button } from '#ui/input/button.tsx'
import { usePasskeyFill } from './use-passkey-fill.ts'

type PasskeyButtonProps = { origin: string | undefined; onFault: (reason: string) => void }

/** Sign-in by a discoverable passkey: no e-mail is needed. Browsers that can offer it in the e-mail field as well. */
export function PasskeyButton({ origin, onFault }: PasskeyButtonProps) {
  const sayLabel = useSayLabel()
  const { call, enter } = useShell()
  const { run, isBusy } = usePasskey()
  const isOffered = takesPasskeys(origin)
  const begin = async () => {
    const begun = await call('POST', 'auth/passkey')
    if (!isObject(begun)) throw new Error('the server has answered no options')
    return { options: begun.options, browser: begun.browser }
  }
  const finish = async (browser: unknown, response: object) =>
    void enter(await call('PUT', 'auth/passkey', { browser, response }))
  usePasskeyFill({
    isOn: isOffered && !isBusy,
    begin,
    finish: (browser, response) => run(() => finish(browser, response), onFault),
  })
  if (!isOffered) return null
  const signIn = async () => {
    const { options, browser } = await begin()
    await finish(browser, await signByPasskey(options))
  }
  return (
    <Button icon="key" busy={isBusy} onClick={() => void run(signIn, onFault)}>
      {sayLabel(passkeyWords.signIn)}
    </Button>
  )
}
