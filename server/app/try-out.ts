import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Config } from '#server/base/config.ts'
import { StartError } from '#server/base/start-error.ts'
import { readFcmAccount } from '#server/notify/fcm-account.ts'

const cannotListen = new Set(['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

type Place = { host: string; port: number }

/** Says what is wrong with an address to listen on, and the setting of its port. */
export function explainListening(error: unknown, { host, port }: Place, setting: 'PORT' | 'METRICS_PORT'): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE')
    throw new StartError(`Port ${port} on ${host} is in use: stop what uses it, or set ${setting} to another one`, {
      cause: error,
    })
  if (code && cannotListen.has(code))
    throw new StartError(`${host}:${port} can not be listened on (${code}): set HOST and ${setting}`, { cause: error })
  throw error
}

async function tryListening(place: Place, setting: 'PORT' | 'METRICS_PORT'): Promise<void> {
  // A connection of this moment is closed at once: the try would wait for its end.
  const server = createServer((socket) => socket.destroy())
  await once(server.listen(place), 'listening').catch((error: unknown) => explainListening(error, place, setting))
  await once(server.close(), 'close')
}

/** Tries what would end the start later: only a backup leads back from a migration. */
export async function tryOut({ host, port, metricsPort, fcmServiceAccount }: Config): Promise<void> {
  await tryListening({ host, port }, 'PORT')
  if (metricsPort !== undefined) await tryListening({ host, port: metricsPort }, 'METRICS_PORT')
  if (fcmServiceAccount) readFcmAccount(fcmServiceAccount)
}
