import { useEffect, useEffectEvent } from 'react'
import { fillsPasskeys, signByFilledPasskey, stopFilling } from '#pages/factor/passkey-device.ts'

/** Options of the server expire after five minutes. */
const renewedMs = 4 * 60_000

type Fill = {
  /** False while the button uses a device: browsers refuse two uses at once. */
  isOn: boolean
  begin: () => Promise<{ options: unknown; browser: unknown }>
  finish: (browser: unknown, response: object) => Promise<void>
}

/** Offers the passkeys of this browser in the e-mail field. Silent until one is picked: people may just type a password. */
export function usePasskeyFill({ isOn, begin, finish }: Fill): void {
  const offer = useEffectEvent(async (isHere: () => boolean) => {
    if (!(await fillsPasskeys()) || !isHere()) return
    const { options, browser } = await begin()
    const response = isHere() && (await signByFilledPasskey(options))
    if (response) await finish(browser, response)
  })
  useEffect(() => {
    if (!isOn) return
    let isHere = true
    const again = () => void offer(() => isHere).catch(() => undefined)
    again()
    // A page that nobody looks at asks for nothing: each question counts against the limit of the address.
    const renew = () => document.visibilityState === 'visible' && again()
    const timer = setInterval(renew, renewedMs)
    document.addEventListener('visibilitychange', renew)
    return () => {
      isHere = false
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
      void stopFilling()
    }
  }, [isOn])
}
