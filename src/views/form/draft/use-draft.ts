import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, dropDraft, readDraft, writeDraft } from './draft-store.ts'

const pauseMs = 400

export type DraftOptions = {
  storageKey: string
  /** Only what was changed; undefined when nothing is. Keep it stable while nothing changes. */
  changed: Omit<Draft, 'atMs'> | undefined
}

/**
 * Keeps what is typed in the browser's storage, so that neither a closed tab nor a forced sign-out loses it. What an earlier visit
 * left is offered once; it is not written over before the offer is answered.
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
  /** `answer`: the offer was taken; `discard`: it was refused; `forget`: saved or given up, keep nothing any more. */
  return { offered, answer, discard, forget }
}

export type DraftControl = ReturnType<typeof useDraft>
