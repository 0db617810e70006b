import { parseRecord, readRecord, type SessionRecord } from './session-record.ts'

export type TabChannelHandler = {
  record: (record: SessionRecord) => void
  /** The stored record was removed externally, for example by clearing the site's data. */
  cleared: () => void
}

export type TabChannel = { post: (record: SessionRecord) => void; listen: (handler: TabChannelHandler) => () => void }

type Messages = EventTarget & { postMessage: (message: unknown) => void }

/** A channel to the other tabs; undefined in browsers without one, and where it is forbidden: Firefox with all cookies blocked. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

export type TabChannelOptions = {
  /** A BroadcastChannel; absent in browsers without one. */
  messages?: Messages | undefined
  storageEvents: EventTarget
  key: string
}

/**
 * Messaging between tabs. A message may arrive before the storage write is visible, so it carries the whole record; the
 * `storage` event repeats it for browsers without BroadcastChannel. Handling a record twice is idempotent.
 */
export function createTabChannel({ messages, storageEvents, key }: TabChannelOptions): TabChannel {
  return {
    post: (record) => messages?.postMessage(record),
    listen({ record, cleared }) {
      const take = (next: SessionRecord | null) => next && record(next)
      const onMessage = (event: Event) => take(readRecord((event as MessageEvent).data))
      const onStorage = (event: Event) => {
        const change = event as StorageEvent
        if (change.key !== null && change.key !== key) return
        if (change.newValue === null) cleared()
        else take(parseRecord(change.newValue))
      }
      messages?.addEventListener('message', onMessage)
      storageEvents.addEventListener('storage', onStorage)
      return () => {
        messages?.removeEventListener('message', onMessage)
        storageEvents.removeEventListener('storage', onStorage)
      }
    },
  }
}
