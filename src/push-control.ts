import { pushPermission } from '#providers/push/push-permission.ts'
import { usableStorage } from '#providers/session/browser-session.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import type { PushControl } from '#shell/shell-services.ts'
import type { Background } from './background.ts'

/** Notifications as the screens see them; the part that does the work comes when it is needed. */
export function createPushControl(background: () => Promise<Background | undefined>): PushControl {
  const tabStorage = usableStorage(() => sessionStorage)
  return {
    permission: pushPermission.get,
    subscribe: pushPermission.subscribe,
    allow: async () => (await background())?.push.allow(),
    isHidden: () => tabStorage.getItem(storageKeys.pushHidden) !== null,
    hide: () => tabStorage.setItem(storageKeys.pushHidden, 'yes'),
    device: async () => (await background())?.device(),
  }
}
