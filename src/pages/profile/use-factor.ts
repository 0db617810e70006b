import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

type FactorState = { totpAt: string | null; recoveryLeft: number; required: boolean }
type Enrolment = { secret: string; uri: string }
type Dialog = { kind: 'setup'; enrolment: Enrolment } | { kind: 'codes'; codes: readonly string[] } | { kind: 'remove' }

/** The own second factor: its state, the dialog that is open, and the calls behind the buttons. */
export function useFactor() {
  const dataProvider = useDataProvider()
  const [dialog, setDialog] = useState<Dialog>()
  const [isBusy, setBusy] = useState(false)
  const send = async <T extends object>(method: 'post' | 'put' | 'delete', url: string, payload?: object): Promise<T> => {
    const answer = await dataProvider().custom?.<T>({ url, method, ...(payload && { payload }) })
    if (!answer) throw new Error('the data provider has no custom calls')
    return answer.data
  }
  const {
    data: state,
    isError,
    refetch,
  } = useQuery({
    retry: false,
    queryKey: ['own', 'auth/factor'],
    queryFn: async () =>
      (await dataProvider().custom?.<FactorState>({ url: 'auth/factor', method: 'get', meta: { quiet: true } }))?.data ?? null,
  })
  /** The client of the API has announced a failure already. */
  const run = async (task: () => Promise<Dialog | undefined>) => {
    setBusy(true)
    await task().then(setDialog, () => undefined)
    setBusy(false)
    void refetch()
  }
  return {
    state,
    /** Another server than ours may know of no second factor. */
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
    /** Rejects with a problem, which the form shows. */
    confirm: async (code: string) => {
      const { recoveryCodes } = await send<{ recoveryCodes: string[] }>('put', 'auth/factor/totp', { code })
      setDialog({ kind: 'codes', codes: recoveryCodes })
      void refetch()
    },
    remove: (onDone: () => void) =>
      run(async () => {
        await send('delete', 'auth/factor')
        onDone()
        return undefined
      }),
  }
}

export type Factor = ReturnType<typeof useFactor>
