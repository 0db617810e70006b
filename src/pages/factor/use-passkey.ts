import { useState } from 'react'
import { problemOf } from '#views/shared/problem.ts'
import { PasskeyFault } from './passkey-device.ts'
import { useSayLabel } from './use-say-label.ts'

/** Runs a passkey operation including its requests: busy state and error. */
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
