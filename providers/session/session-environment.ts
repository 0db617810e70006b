import type { Exclusive } from './exclusive.ts'
import type { TabChannel } from './tab-channel.ts'

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Browser services of the session store. Tests use fakes; two that share a storage act as two tabs. */
export type SessionEnvironment = {
  /** Shared by the tabs. */
  storage: KeyValueStorage
  /** Storage of this tab; survives a reload. */
  tabStorage: KeyValueStorage
  tabs: TabChannel
  exclusive: Exclusive
  now: () => number
  hasFocus: () => boolean
  reload: () => void
  /**
   * Called when the page may have been suspended: shown again, focused, restored, back online. Returns the unsubscribe
   * function.
   */
  onWake: (listener: (reason: WakeReason) => void) => () => void
}

export type WakeReason = 'shown' | 'online'
