import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

export type Passkey = { id: string; name: string; createdAt: string; lastUsedAt: string | null }
type FactorState = {
  totpAt: string | null
  recoveryLeft: number
  required: boolean
  /** Absent when a third-party server lacks passkeys. */
  passkeys?: readonly Passkey[]
  passkeyOrigin?: string | null
  /** Absent when a third-party server knows of passwords alone. */
  confirmedBy?: 'factor' | 'password' | 'provider'
}
type Enrolment = { secret: string; uri: string }
type Dialog = { kind: 'setup'; enrolment: Enrolment } | { kind: 'codes'; codes: readonly string[] } | { kind: 'remove' }

/** Requests about the own second factors. `quiet`: the caller shows errors itself. */
export function useFactorCalls() {
  const dataProvider = useDataProvider()
  return async <T extends object>(
    method: 'post' | 'put' | 'delete',
    url: string,
    { payload, quiet }: { payload?: object; quiet?: boolean } = {},
  ): Promise<T> => {
    const answer = await dataProvider().custom?.<T>({
      url,
      method,
      ...(payload && { payload }),
      ...(quiet && { meta: { quiet } }),
    })
    if (!answer) throw new Error('the data provider has no custom calls')
    return answer.data
  }
}

/** State of the own second factors, one query shared by all cards. */
export function useFactorState() {
  const dataProvider = useDataProvider()
  const { data, isError, refetch } = useQuery({
    retry: false,
    queryKey: ['own', 'auth/factor'],
    queryFn: async () =>
      (await dataProvider().custom?.<FactorState>({ url: 'auth/factor', method: 'get', meta: { quiet: true } }))?.data ?? null,
  })
  return { state: data, isError, refetch: () => void refetch() }
}

/** Controller of the authenticator app: its state, the open dialog and the actions. */
export function useFactor() {
  const send = useFactorCalls()
  const { state, isError, refetch } = useFactorState()
  const [dialog, setDialog] = useState<Dialog>()
  const [isBusy, setBusy] = useState(false)
  /** The API client has already shown the error. */
  const run = async (task: () => Promise<Dialog | undefined>) => {
    setBusy(true)
    await task().then(setDialog, () => undefined)
    setBusy(false)
    refetch()
  }
  return {
    state,
    hasPasskeys: Boolean(state?.passkeys?.length),
    /** A third-party server may lack second factors. */
    isUnknown: isError && !state,
    dialog,
    isBusy,
    close: () => setDialog(undefined),
    askRemoval: () => setDialog({ kind: 'remove' }),
    begin: () => run(async () => ({ kind: 'setup', enrolment: await send<Enrolment>('post', 'auth/factor/totp') })),
    renew: () =>
      run(async () => {
        const { recoveryCodes } = await send<{ recoveryCodes: string[] }>('post', 'auth/factor/recovery')
        return { kind: 'codes', codes: recoveryCodes }
      }),
    /** Rejects with a problem, which the form shows. Only the first factor returns recovery codes. */
    confirm: async (code: string) => {
      const { recoveryCodes } = await send<{ recoveryCodes: string[] }>('put', 'auth/factor/totp', { payload: { code } })
      setDialog(recoveryCodes.length > 0 ? { kind: 'codes', codes: recoveryCodes } : undefined)
      refetch()
    },
    remove: (onDone: () => void) =>
      run(async () => {
        await send('delete', 'auth/factor/totp')
        onDone()
        return undefined
      }),
  }
}

export type Factor = ReturnType<typeof useFactor>
