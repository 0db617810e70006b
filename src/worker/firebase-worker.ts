import { initializeApp } from 'firebase/app'
import { getMessaging, onBackgroundMessage } from 'firebase/messaging/sw'
import { readFirebaseConfig } from '#providers/push/firebase-config.ts'
import { readNote } from '#providers/push/push-message.ts'
import './push-worker.ts'
import { showNote } from './show-note.ts'

const config = readFirebaseConfig(import.meta.env)

if (config) {
  // A message with a text is shown by the provider; one that only has data is ours to show.
  onBackgroundMessage(getMessaging(initializeApp(config)), ({ notification, data, messageId }) => {
    const note = notification ? undefined : readNote({ id: messageId, ...data })
    if (note) void showNote(note)
  })
}
