import { useState } from 'react'
import { problemOf } from '#views/shared/problem.ts'
import { PasskeyFault } from './passkey-device.ts'
import { useSayLabel } from './use-say-label.ts'

/** Work with a passkey, the calls before and after the device included: busy meanwhile, and the reason when it came to nothing. */
export function usePasskey() {
  const sayLabel = useSayLabel()
  const [message, setMessage] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const reasonOf = (error: unknown) => (error instanceof PasskeyFault ? sayLabel(error.label) : problemOf(error).message)
  const run = async (task: () => Promise<unknown>, onFault: (reason: string, error: unknown) => void = setMessage) => {
    if (isBusy) return
    setBusy(true)
    setMessage(undefined)
    try {
      await task()
    } catch (error) {
      onFault(reasonOf(error), error)
    }
    setBusy(false)
  }
  return { run, message, isBusy }
}
