import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, dropDraft, readDraft, writeDraft } from './draft-store.ts'

const pauseMs = 400

export type DraftOptions = {
  storageKey: string
  /** Changed values only; undefined when there are none. Keep it referentially stable. */
  changed: Omit<Draft, 'atMs'> | undefined
}

/**
 * Saves typed values in the browser's storage, so that a closed tab or a forced sign-out does not lose them. A draft of an
 * earlier visit is offered once; it is not overwritten before the offer is answered.
 */
export function useDraft({ storageKey, changed }: DraftOptions) {
  const [offered, setOffered] = useState<Draft | undefined>(() => readDraft(storageKey))
  const latest = useRef({ changed, isOff: false })
  useEffect(() => {
    latest.current.changed = changed
  })
  const isWaiting = offered !== undefined

  const save = useCallback(() => {
    const { changed: draft, isOff } = latest.current
    if (isOff) return
    if (draft) writeDraft(storageKey, { ...draft, atMs: Date.now() })
    else dropDraft(storageKey)
  }, [storageKey])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change starts the pause again
  useEffect(() => {
    if (isWaiting) return
    const timer = setTimeout(save, pauseMs)
    return () => clearTimeout(timer)
  }, [changed, isWaiting, save])

  useEffect(() => {
    if (isWaiting) return
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [isWaiting, save])

  const forget = useCallback(() => {
    latest.current.isOff = true
    setOffered(undefined)
    dropDraft(storageKey)
  }, [storageKey])
  const answer = useCallback(() => setOffered(undefined), [])
  const discard = useCallback(() => {
    setOffered(undefined)
    dropDraft(storageKey)
  }, [storageKey])
  /** `answer`: offer accepted; `discard`: refused; `forget`: saved or cancelled, the draft is removed. */
  return { offered, answer, discard, forget }
}

export type DraftControl = ReturnType<typeof useDraft>
