import { createContext, useContext, useSyncExternalStore } from 'react'
import type { ConsoleHistory, Entry } from './history.ts'

export const HistoryContext = createContext<ConsoleHistory | undefined>(undefined)

export function useHistory(): ConsoleHistory {
  const history = useContext(HistoryContext)
  if (!history) throw new Error('useHistory: no HistoryContext above')
  return history
}

/** The current address; re-renders on change. */
export function useAddress(): Entry {
  const history = useHistory()
  return useSyncExternalStore(history.subscribe, history.getEntry)
}

/** The path of the current address. A change of the list's page, sort or filters re-renders nothing that reads no more than it. */
export function usePathname(): string {
  const history = useHistory()
  return useSyncExternalStore(history.subscribe, () => history.getEntry().pathname)
}
