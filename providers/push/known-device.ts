import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { isObject } from '#schema/is-object.ts'

/** This browser as the server knows it, whose it is, and when it was told (epoch ms). */
export type KnownDevice = { id: string; userId: string; pushId: string; at: number }

/** The last registration of this browser; undefined without one. */
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
