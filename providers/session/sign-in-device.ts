import type { KeyValueStorage } from './session-environment.ts'
import { storageKeys } from './storage-keys.ts'

const pattern = /^[0-9a-f]{64}$/

/** Random token by which the sign-in knows this browser again: it outlives sessions and opens nothing. */
export function signInDevice(storage: KeyValueStorage): string {
  const known = storage.getItem(storageKeys.signInDevice)
  if (known && pattern.test(known)) return known
  const made = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')
  storage.setItem(storageKeys.signInDevice, made)
  return made
}
