import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { type PushMessage, readPushMessage } from './push-message.ts'
import type { PushTransport } from './push-transport.ts'
import { registerPushWorker } from './push-worker.ts'

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Notifications over the server's event stream: they arrive while a page of the console is open. The worker passes them to the
 * windows, or shows them itself when no window is visible.
 */
export function createSseTransport(storage: KeyValueStorage): PushTransport {
  let worker: ServiceWorker | null = null
  let listening: AbortController | undefined
  return {
    kind: 'sse',
    async start(onNote) {
      listening?.abort()
      listening = new AbortController()
      if ('serviceWorker' in navigator) {
        const take = ({ data }: MessageEvent<unknown>) => {
          const note = readPushMessage(data)
          if (note) onNote(note)
        }
        navigator.serviceWorker.addEventListener('message', take, { signal: listening.signal })
        worker = await registerPushWorker().then(
          ({ active }) => active,
          () => null,
        )
      }
      return storage.getItem(storageKeys.pushId) ?? newId()
    },
    deliver(note) {
      const message: PushMessage = { kind: 'note', note }
      worker?.postMessage(message)
      return worker !== null
    },
    async stop() {
      listening?.abort()
      worker = null
    },
  }
}
