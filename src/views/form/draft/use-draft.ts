import { useCallback, useEffect, useRef, useState } from 'react'
import { type Draft, dropDraft, foundDrafts, ownSlot, writeDraft } from './draft-store.ts'

const pauseMs = 400

export type DraftOptions = {
  storageKey: string
  /** Changed values only; undefined when there are none. Keep it referentially stable. */
  changed: Omit<Draft, 'atMs'> | undefined
}

type Latest = {
  changed: DraftOptions['changed']
  isOff: boolean
  isWritten: boolean
  /** Storage key of the restored draft, until its values are saved in the own slot. */
  answered?: string
}

/**
 * Saves typed values in the browser's storage, so that a closed tab or a forced sign-out does not lose them. Each visit has a
 * slot of its own. Drafts of other visits are offered one after another, the newest first, and kept until they are answered.
 */
export function useDraft({ storageKey, changed }: DraftOptions) {
  const [own] = useState(() => ownSlot(storageKey))
  const [offers, setOffers] = useState(() => foundDrafts(storageKey))
  const offer = offers[0]
  const latest = useRef<Latest>({ changed, isOff: false, isWritten: false })
  useEffect(() => {
    latest.current.changed = changed
  })

  const dropAnswered = useCallback(() => {
    if (latest.current.answered) dropDraft(latest.current.answered)
    delete latest.current.answered
  }, [])
  const save = useCallback(() => {
    const { changed: draft, isOff, isWritten } = latest.current
    if (isOff) return
    if (draft) writeDraft(own, { ...draft, atMs: Date.now() })
    else if (isWritten) dropDraft(own)
    latest.current.isWritten = draft !== undefined
    dropAnswered()
  }, [own, dropAnswered])

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change starts the pause again
  useEffect(() => {
    const timer = setTimeout(save, pauseMs)
    return () => clearTimeout(timer)
  }, [changed, offer, save])

  useEffect(() => {
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('pagehide', save)
      save()
    }
  }, [save])

  const answer = useCallback(() => {
    if (offer) latest.current.answered = offer.key
    // A second one would replace what was just restored; it is offered on the next visit.
    setOffers([])
  }, [offer])
  const discard = useCallback(() => {
    if (offer) dropDraft(offer.key)
    setOffers((before) => before.slice(1))
  }, [offer])
  const leave = useCallback(() => {
    if (latest.current.isWritten) dropDraft(own)
    dropAnswered()
    latest.current.isOff = true
  }, [own, dropAnswered])
  const forget = useCallback(() => {
    leave()
    discard()
  }, [leave, discard])
  /** `answer`: offer accepted; `discard`: refused; `forget`: saved, the shown offer goes, too; `leave`: cancelled, offers stay. */
  return { offered: offer?.draft, answer, discard, forget, leave }
}

export type DraftControl = ReturnType<typeof useDraft>
