import type { AxiosInstance } from 'axios'
import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { dayMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'

/** This browser as the server knows it, whose it is, and when it was told (epoch ms). */
export type KnownDevice = { id: string; userId: string; pushId: string; at: number }

/** A registration that the server gave up, for want of visits or after failures, comes back within a day. */
const againMs = dayMs

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

type Registering = { http: AxiosInstance; storage: KeyValueStorage; userId: string; pushId: string; now?: number }

/** Tells the server of this browser once a day, and when it is another push id, or another person's, than the last time. */
export async function registerDevice({ http, storage, userId, pushId, now = Date.now() }: Registering): Promise<void> {
  storage.setItem(storageKeys.pushId, pushId)
  const known = knownDevice(storage)
  if (known?.pushId === pushId && known.userId === userId && Math.abs(now - known.at) < againMs) return
  const body = { isDebug: import.meta.env.DEV, platform: 'web', pushId }
  const { data } = await http.post<{ id: string }>('device', body, { quiet: true })
  const device: KnownDevice = { id: data.id, userId, pushId, at: now }
  storage.setItem(storageKeys.device, JSON.stringify(device))
}
