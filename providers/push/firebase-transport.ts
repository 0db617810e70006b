import { initializeApp } from 'firebase/app'
import { deleteToken, getMessaging, getToken, isSupported, type Messaging, onMessage } from 'firebase/messaging'
import type { FirebaseConfig } from './firebase-config.ts'
import { PushError } from './push-error.ts'
import { readNote } from './push-message.ts'
import type { PushTransport } from './push-transport.ts'
import { registerPushWorker } from './push-worker.ts'

const probeName = 'ess-console.probe'

/** Checked first, because the SDK would throw an unhandled error. */
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

/** Notifications over Firebase Cloud Messaging: they arrive while no page is open, too. */
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
    // The provider notifies open windows, and shows the notification itself when there is none.
    deliver: () => false,
    async stop() {
      unsubscribe?.()
      unsubscribe = undefined
      if (messaging) await deleteToken(messaging)
    },
  }
}
