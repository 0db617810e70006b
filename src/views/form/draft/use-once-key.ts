import { useState } from 'react'
import type { Problem } from '#views/shared/problem.ts'

const newKey = () => crypto.getRandomValues(new Uint32Array(4)).join('-')

/**
 * Idempotency key of a form's new record. It goes with the draft and stands until the server has refused: a call whose answer was
 * lost is never executed twice, even after a reload.
 */
export function useOnceKey() {
  const [key, setKey] = useState(newKey)
  return {
    key,
    /** The key of a restored draft. */
    take: (known: string | undefined) => known && setKey(known),
    /** Nothing was stored under the key, so the next attempt is a new call. */
    renewAfter: ({ statusCode }: Problem) => {
      if (statusCode >= 400 && statusCode < 500) setKey(newKey())
    },
  }
}
