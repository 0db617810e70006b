import type { AxiosInstance } from 'axios'
import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { dayMs } from '#schema/format/durations.ts'
import { type KnownDevice, knownDevice } from './known-device.ts'

/** A registration that the server gave up, for want of visits or after failures, comes back within a day. */
const againMs = dayMs

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
