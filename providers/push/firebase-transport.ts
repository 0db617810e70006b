import { initializeApp } from 'firebase/app'
import { deleteToken, getMessaging, getToken, isSupported, type Messaging, onMessage } from 'firebase/messaging'
import type { FirebaseConfig } from './firebase-config.ts'
import { PushError } from './push-error.ts'
import { readNote } from './push-message.ts'
import type { PushTransport } from './push-transport.ts'
import { registerPushWorker } from './push-worker.ts'

const probeName = 'ess-console.probe'

/** The SDK would throw outside of any caller. */
function canOpenDatabase(): Promise<boolean> {
  return new Promise((resolve) => {
    try {
      const request = indexedDB.open(probeName)
      request.onerror = () => resolve(false)
      request.onsuccess = () => {
        request.result.close()
        indexedDB.deleteDatabase(probeName)
        resolve(true)
      }
    } catch {
      resolve(false)
    }
  })
}

async function refuseUnsupported(): Promise<void> {
  if (!(await canOpenDatabase())) throw new PushError('indexed-db-unsupported')
  if (!(await isSupported().catch(() => false))) throw new PushError('unsupported-browser')
}

/** Notes by Firebase Cloud Messaging: they arrive with every page closed, too. */
export function createFirebaseTransport({ vapidKey, ...config }: FirebaseConfig): PushTransport {
  let messaging: Messaging | undefined
  let unsubscribe: (() => void) | undefined
  return {
    kind: 'firebase',
    async start(onNote) {
      await refuseUnsupported()
      const serviceWorkerRegistration = await registerPushWorker()
      messaging ??= getMessaging(initializeApp(config))
      unsubscribe?.()
      unsubscribe = onMessage(messaging, ({ data, notification, messageId, fcmOptions }) => {
        const { title, body } = notification ?? {}
        const note = readNote({ id: messageId, title, body, link: fcmOptions?.link, ...data })
        if (note) onNote(note)
      })
      return getToken(messaging, { vapidKey, serviceWorkerRegistration })
    },
    // Open windows are notified at once; without one the provider shows the note.
    deliver: () => false,
    async stop() {
      unsubscribe?.()
      unsubscribe = undefined
      if (messaging) await deleteToken(messaging)
    },
  }
}
