import { announce } from './announce.ts'
import { plainNotice } from './plain-notice.ts'

export type NotificationKind = 'success' | 'info' | 'warning' | 'error'

export type Notification = {
  kind: NotificationKind
  title: string
  text?: string | undefined
  /** The same key again replaces what is shown. */
  key?: string | undefined
  /** 0 stays until it is closed. Errors 8 s, others 4.5 s. */
  durationS?: number | undefined
  action?: { label: string; onSelect: () => void } | undefined
  onClose?: (() => void) | undefined
}

/** A notification with its key, as the renderer receives it. */
export type KeyedNotification = Notification & { key: string; durationS: number }

type Drawer = { show: (notification: KeyedNotification) => void; hide: (key: string) => void }

const secondsByKind: Record<NotificationKind, number> = { success: 4.5, info: 4.5, warning: 8, error: 8 }

let drawer: Promise<Drawer> | undefined
let count = 0
/** Keys of open notifications: one that was closed before the renderer loaded is never shown. */
const openKeys = new Set<string>()

function loadDrawer(): Promise<Drawer> {
  drawer ??= import('#ui/antd/notification.tsx').then(
    ({ showNotification, hideNotification }) => ({ show: showNotification, hide: hideNotification }),
    () => {
      // The chunk failed to load (offline or a new release): the message is shown without antd, and the next one retries.
      drawer = undefined
      return plainNotice
    },
  )
  return drawer
}

/** Shows a notification in the corner and announces it to screen readers. Returns its key. */
export function openNotification(notification: Notification): string {
  count += 1
  const key = notification.key ?? `notification-${count}`
  const durationS = notification.durationS ?? secondsByKind[notification.kind]
  announce([notification.title, notification.text].filter(Boolean).join('. '), notification.kind === 'error')
  openKeys.add(key)
  loadDrawer().then(({ show }) => {
    if (openKeys.has(key)) show({ ...notification, key, durationS })
  })
  return key
}

export function closeNotification(key: string): void {
  openKeys.delete(key)
  drawer?.then(({ hide }) => hide(key))
}
