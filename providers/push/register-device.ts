import type { AxiosInstance } from 'axios'
import type { KeyValueStorage } from '#providers/session/session-environment.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { dayMs } from '#schema/format/durations.ts'
import { type KnownDevice, knownDevice } from './known-device.ts'

/** Renews a registration that the server has dropped after inactivity or failures within a day. */
const againMs = dayMs

type Registering = { http: AxiosInstance; storage: KeyValueStorage; userId: string; pushId: string; now?: number }

/** Registers this browser with the server once a day, and when the push id or the user has changed. */
export async function registerDevice({ http, storage, userId, pushId, now = Date.now() }: Registering): Promise<void> {
  storage.setItem(storageKeys.pushId, pushId)
  const known = knownDevice(storage)
  if (known?.pushId === pushId && known.userId === userId && Math.abs(now - known.at) < againMs) return
  const body = { isDebug: import.meta.env.DEV, platform: 'web', pushId }
  const { data } = await http.post<{ id: string }>('device', body, { quiet: true })
  const device: KnownDevice = { id: data.id, userId, pushId, at: now }
  storage.setItem(storageKeys.device, JSON.stringify(device))
}
