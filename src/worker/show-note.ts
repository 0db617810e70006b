import { ownPath, type PushMessage } from '#providers/push/push-message.ts'
import type { PushNote } from '#providers/push/push-transport.ts'
import { scope } from './scope.ts'

const windows = () => scope.clients.matchAll({ type: 'window', includeUncontrolled: true })

/** A system notification. A repeated note replaces the first. */
export async function showNote(note: PushNote): Promise<void> {
  // The permission may have been revoked meanwhile.
  await scope.registration
    .showNotification(note.title, { body: note.body, tag: note.id, data: { note } })
    .catch(() => undefined)
}

/** Shows a note in the pages if one is visible, else as a system notification. */
export async function deliverNote(note: PushNote): Promise<void> {
  const open = await windows()
  if (!open.some(({ visibilityState }) => visibilityState === 'visible')) return showNote(note)
  const message: PushMessage = { kind: 'note', note }
  for (const each of open) each.postMessage(message)
}

/** Opens the page that a note links to, in a window of the console if there is one; never another site. */
export async function openNote({ link }: PushNote): Promise<void> {
  const path = ownPath(link, scope.location.origin)
  const [first] = await windows()
  if (!first) return void (await scope.clients.openWindow(path ?? '/'))
  await first.focus().catch(() => undefined)
  if (path !== undefined) await first.navigate(path).catch(() => scope.clients.openWindow(path))
}
