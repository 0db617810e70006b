import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, dropDraft, readDraft, writeDraft } from './draft-store.ts'

const pauseMs = 400

export type DraftOptions = {
  storageKey: string
  /** Changed values only; undefined when there are none. Keep it referentially stable. */
  changed: Omit<Draft, 'atMs'> | undefined
}

type Slots = {
  /** Storage key of this visit's draft. */
  own: string
  /** Storage key of the offered draft. */
  other: string
  found: Draft | undefined
}

/** A draft has two slots: typed values never overwrite an offer that is not answered. The newer of two is offered. */
function findSlots(storageKey: string): Slots {
  const later = `${storageKey} later`
  const [draft, laterDraft] = [readDraft(storageKey), readDraft(later)]
  if (laterDraft && laterDraft.atMs >= (draft?.atMs ?? 0)) return { own: storageKey, other: later, found: laterDraft }
  return draft ? { own: later, other: storageKey, found: draft } : { own: storageKey, other: later, found: undefined }
}

/**
 * Saves typed values in the browser's storage, so that a closed tab or a forced sign-out does not lose them. A draft of an
 * earlier visit is offered once; it is kept until the offer is answered. Drafts of another tab are left alone.
 */
export function useDraft({ storageKey, changed }: DraftOptions) {
  const [{ own, other, found }] = useState(() => findSlots(storageKey))
  const [offered, setOffered] = useState(found)
  const latest = useRef({ changed, isOff: false, isWritten: false, isAnswered: false })
  useEffect(() => {
    latest.current.changed = changed
  })

  const save = useCallback(() => {
    const { changed: draft, isOff, isWritten, isAnswered } = latest.current
    if (isOff) return
    if (draft) writeDraft(own, { ...draft, atMs: Date.now() })
    else if (isWritten) dropDraft(own)
    if (isAnswered) dropDraft(other)
    Object.assign(latest.current, { isWritten: draft !== undefined, isAnswered: false })
  }, [own, other])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change starts the pause again
  useEffect(() => {
    const timer = setTimeout(save, pauseMs)
    return () => clearTimeout(timer)
  }, [changed, offered, save])

  useEffect(() => {
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [save])

  const answer = useCallback(() => {
    latest.current.isAnswered = true
    setOffered(undefined)
  }, [])
  const discard = useCallback(() => {
    dropDraft(other)
    setOffered(undefined)
  }, [other])
  const leave = useCallback(() => {
    if (latest.current.isWritten) dropDraft(own)
    if (latest.current.isAnswered) dropDraft(other)
    latest.current.isOff = true
  }, [own, other])
  const forget = useCallback(() => {
    leave()
    if (found) discard()
  }, [leave, discard, found])
  /** `answer`: offer accepted; `discard`: refused; `forget`: saved, all is removed; `leave`: cancelled, an open offer stays. */
  return { offered, answer, discard, forget, leave }
}

export type DraftControl = ReturnType<typeof useDraft>
