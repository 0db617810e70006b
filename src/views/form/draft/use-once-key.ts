import { useState } from 'react'
import { newOnceKey } from '#schema/wire/once-key.ts'
import type { Problem } from '#views/shared/problem.ts'

/** The server has another content under the key, and no record of it to show. */
const otherContent = 422

/**
 * Idempotency key of a form's new record: a call whose answer was lost is never executed twice, even after a reload. Until an attempt
 * may have been stored, the key stays with this form: the draft of one that was never sent may be restored beside it.
 */
export function useOnceKey(isSending: boolean) {
  const [key, setKey] = useState(newOnceKey)
  /** An attempt has had no answer, so the key may have a record. */
  const [isOpen, setOpen] = useState(false)
  const renew = () => {
    setOpen(false)
    setKey(newOnceKey())
  }
  return {
    key,
    /** The key for the draft. */
    kept: isOpen || isSending ? key : undefined,
    /** The key of a restored draft. */
    take: (known: string | undefined) => {
      if (!known) return
      setKey(known)
      setOpen(true)
    },
    /** A refusal stores nothing under the key, but tells nothing of an attempt before it. */
    noteFailure: ({ statusCode }: Problem) => {
      const isAnswered = statusCode >= 400 && statusCode < 500
      if (!isAnswered) setOpen(true)
      else if (!isOpen || statusCode === otherContent) renew()
    },
  }
}
