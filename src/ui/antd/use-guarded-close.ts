import { useRef } from 'react'

/** False keeps the dialog open. May be asynchronous, to ask the user. */
export type CloseGuard = () => boolean | Promise<boolean>

/** Closes when the guard allows it. Single-flight: repeated Esc presses ask once. */
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
