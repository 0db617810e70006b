import { readNote, readPushMessage } from '#providers/push/push-message.ts'
import { scope } from './scope.ts'
import { deliverNote, openNote } from './show-note.ts'

scope.addEventListener('install', () => void scope.skipWaiting())
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))

scope.addEventListener('message', (event) => {
  const note = readPushMessage(event.data)
  if (note) event.waitUntil(deliverNote(note))
})

scope.addEventListener('notificationclick', (event) => {
  // Those that the push provider has shown are its own.
  const note = readNote(event.notification.data?.note)
  if (!note) return
  event.notification.close()
  event.waitUntil(openNote(note))
})
