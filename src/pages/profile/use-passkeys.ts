import { useState } from 'react'
import { makePasskey } from '#pages/factor/passkey-device.ts'
import { type Passkey, useFactorCalls, useFactorState } from './use-factor.ts'

type Dialog = { kind: 'add' } | { kind: 'codes'; codes: readonly string[] } | { kind: 'rename' | 'remove'; passkey: Passkey }

const path = 'auth/factor/passkey'

/** Controller of the own passkeys: the list, the open dialog and the actions. */
export function usePasskeys() {
  const send = useFactorCalls()
  const { state, refetch } = useFactorState()
  const [dialog, setDialog] = useState<Dialog>()
  const [isBusy, setBusy] = useState(false)
  return {
    state,
    refetch,
    dialog,
    isBusy,
    close: () => setDialog(undefined),
    askName: () => setDialog({ kind: 'add' }),
    askOtherName: (passkey: Passkey) => setDialog({ kind: 'rename', passkey }),
    askRemoval: (passkey: Passkey) => setDialog({ kind: 'remove', passkey }),
    /** Rejects with a problem or a device fault, which the form shows. The first factor returns recovery codes. */
    add: async (name: string, onDone: () => void) => {
      const response = await makePasskey(await send('post', path, { quiet: true }))
      const payload = { ...(name && { name }), response }
      const { recoveryCodes } = await send<{ recoveryCodes: string[] }>('put', path, { payload, quiet: true })
      setDialog(recoveryCodes.length > 0 ? { kind: 'codes', codes: recoveryCodes } : undefined)
      refetch()
      onDone()
    },
    /** Rejects with a problem, which the form shows. */
    rename: async ({ id }: Passkey, name: string, onDone: () => void) => {
      await send('put', `${path}/${encodeURIComponent(id)}`, { payload: { name }, quiet: true })
      setDialog(undefined)
      refetch()
      onDone()
    },
    /** The client of the API has announced a failure already. */
    remove: async ({ id }: Passkey, onDone: () => void) => {
      setBusy(true)
      await send('delete', `${path}/${encodeURIComponent(id)}`).then(onDone, () => undefined)
      setBusy(false)
      setDialog(undefined)
      refetch()
    },
  }
}

export type Passkeys = ReturnType<typeof usePasskeys>
