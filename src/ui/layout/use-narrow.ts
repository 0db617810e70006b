import { useSyncExternalStore } from 'react'

const phone = window.matchMedia('(max-width: 640px)')

function subscribe(onChange: () => void): () => void {
  phone.addEventListener('change', onChange)
  return () => phone.removeEventListener('change', onChange)
}

/** Whether the window is as narrow as a phone. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => phone.matches)
