import { useSyncExternalStore } from 'react'

const phone = window.matchMedia('(max-width: 640px)')

function subscribe(onChange: () => void): () => void {
  phone.addEventListener('change', onChange)
  return () => phone.removeEventListener('change', onChange)
}

/** True at phone width. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => phone.matches)
