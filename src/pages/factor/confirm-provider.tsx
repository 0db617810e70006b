import { useEffect, useState } from 'react'
import { Button } from '#ui/input/button.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { ConfirmDialog, ConfirmText } from './confirm-dialog.tsx'
import { factorWords } from './factor-words.ts'
import { providerKey } from './provider-key.ts'
import { useSayLabel } from './use-say-label.ts'

type Begun = { url: string; browser: string }
export type ConfirmProviderProps = {
  begin: () => Promise<Begun>
  /** Rejects with a problem. */
  finish: (proof: { query: string; browser: string }) => Promise<void>
  /** True once it was confirmed. */
  onEnd: (isConfirmed: boolean) => void
}

const stateOf = (query: string) => new URLSearchParams(query).get('state')

/** Receives the redirect's query string from the provider window opened for this confirmation. */
function useReturned(begun: Begun | undefined, onReturn: (query: string, begun: Begun) => void) {
  useEffect(() => {
    if (!begun) return
    const channel = new BroadcastChannel(providerKey)
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === 'string' && stateOf(data) === new URL(begun.url).searchParams.get('state')) onReturn(data, begun)
    }
    return () => channel.close()
  }, [begun, onReturn])
}

/** Step-up by a new sign-in at the provider, in a window of its own, so that this page is kept. */
export function ConfirmProvider({ begin, finish, onEnd }: ConfirmProviderProps) {
  const sayLabel = useSayLabel()
  const [begun, setBegun] = useState<Begun>()
  const [message, setMessage] = useState<string>()
  const fail = (error: unknown) => {
    setMessage(problemOf(error).message)
    setBegun(undefined)
  }
  useReturned(begun, (query, { browser }) => void finish({ query, browser }).then(() => onEnd(true), fail))
  const open = async () => {
    setMessage(undefined)
    // Opened directly in the click handler: pop-up blockers block later windows.
    const beside = window.open('', '_blank', 'popup,width=520,height=680')
    if (!beside) return setMessage(sayLabel(factorWords.blocked))
    try {
      const made = await begin()
      setBegun(made)
      beside.location.href = made.url
    } catch (error) {
      beside.close()
      fail(error)
    }
  }
  const primary = (
    <Button kind="primary" data-autofocus onClick={() => void open()}>
      {sayLabel(factorWords.again)}
    </Button>
  )
  return (
    <ConfirmDialog primary={primary} onCancel={() => onEnd(false)}>
      <ConfirmText message={message} />
      <p>{sayLabel(begun ? factorWords.waiting : factorWords.byProvider)}</p>
    </ConfirmDialog>
  )
}
