import { useEffect, useEffectEvent } from 'react'
import { fillsPasskeys, signByFilledPasskey, stopFilling } from '#pages/factor/passkey-device.ts'

/** Options of the server expire after five minutes. */
const renewedMs = 4 * 60_000
/** Signs of a person at the page. */
const uses = ['visibilitychange', 'focus', 'pointerdown', 'keydown']

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
    let askedAt = Number.NEGATIVE_INFINITY
    // Each question counts against the limit of the address: a page that nobody uses asks no more, and none asks twice for the same options.
    const again = () => {
      if (document.visibilityState !== 'visible' || performance.now() - askedAt < renewedMs) return
      askedAt = performance.now()
      void offer(() => isHere).catch(() => undefined)
    }
    again()
    for (const use of uses) addEventListener(use, again)
    return () => {
      isHere = false
      for (const use of uses) removeEventListener(use, again)
      void stopFilling()
    }
  }, [isOn])
}
