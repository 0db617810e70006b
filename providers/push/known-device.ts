import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { isObject } from '#schema/is-object.ts'

/** Last registration of this browser: device id, user, push id and time (epoch ms). */
export type KnownDevice = { id: string; userId: string; pushId: string; at: number }

export function knownDevice(storage: KeyValueStorage): KnownDevice | undefined {
  try {
    const value: unknown = JSON.parse(storage.getItem(storageKeys.device) ?? 'null')
    if (!isObject(value)) return undefined
    const { id, userId, pushId, at } = value
    return typeof id === 'string' && typeof userId === 'string' && typeof pushId === 'string'
      ? { id, userId, pushId, at: Number(at) || 0 }
      : undefined
  } catch {
    return undefined
  }
}
