import type { AxiosInstance } from 'axios'
import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { isObject } from '#schema/is-object.ts'

/** This browser as the server knows it, and whose it is. */
export type KnownDevice = { id: string; userId: string; pushId: string }

/** The last registration of this browser; undefined without one. */
export function knownDevice(storage: KeyValueStorage): KnownDevice | undefined {
  try {
    const value: unknown = JSON.parse(storage.getItem(storageKeys.device) ?? 'null')
    if (!isObject(value)) return undefined
    const { id, userId, pushId } = value
    return typeof id === 'string' && typeof userId === 'string' && typeof pushId === 'string'
      ? { id, userId, pushId }
      : undefined
  } catch {
    return undefined
  }
}

type Registering = { http: AxiosInstance; storage: KeyValueStorage; userId: string; pushId: string }

/** Tells the server of this browser when it is another push id, or another person's, than the last time. */
export async function registerDevice({ http, storage, userId, pushId }: Registering): Promise<void> {
  storage.setItem(storageKeys.pushId, pushId)
  const known = knownDevice(storage)
  if (known?.pushId === pushId && known.userId === userId) return
  const body = { isDebug: import.meta.env.DEV, platform: 'web', pushId }
  const { data } = await http.post<{ id: string }>('device', body, { quiet: true })
  const device: KnownDevice = { id: data.id, userId, pushId }
  storage.setItem(storageKeys.device, JSON.stringify(device))
}
