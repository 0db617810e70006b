import { useRef } from 'react'

/** False keeps it open. May take its time: it may ask the person. */
export type CloseGuard = () => boolean | Promise<boolean>

/** Closes when the guard allows it; asks once at a time, however often Esc is pressed. */
export function useGuardedClose(onClose: () => void, canClose: CloseGuard | undefined): () => void {
  const isAsking = useRef(false)
  return () => {
    if (isAsking.current) return
    isAsking.current = true
    Promise.resolve(canClose?.() ?? true)
      .then((isAllowed) => isAllowed && onClose())
      .finally(() => {
        isAsking.current = false
      })
  }
}
