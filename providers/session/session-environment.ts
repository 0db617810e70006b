import type { Exclusive } from './exclusive.ts'
import type { TabChannel } from './tab-channel.ts'

export type KeyValueStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Browser services of the session store. Tests use fakes; two that share a storage are two tabs. */
export type SessionEnvironment = {
  /** Shared by the tabs. */
  storage: KeyValueStorage
  /** Of this tab, and kept over a reload. */
  tabStorage: KeyValueStorage
  tabs: TabChannel
  exclusive: Exclusive
  now: () => number
  hasFocus: () => boolean
  reload: () => void
  /** Tells when the page may have slept: shown again, focused, restored, back online. Answers how to stop. */
  onWake: (listener: (reason: WakeReason) => void) => () => void
}

export type WakeReason = 'shown' | 'online'
