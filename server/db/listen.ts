import type { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type Listener = {
  message: (payload: string) => void
  /** Called after each reconnect: messages may have been missed. */
  reconnected?: () => void
}
export type Listen = (channel: string, listener: Listener) => Promise<() => Promise<void>>

/** TCP keep-alive: ten seconds idle, then ten probes a second apart, so that a dead host is detected after twenty. */
export const keepAliveOptions = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
const connectTimeoutMs = 10_000
const longestWaitMs = 5_000
const againMs = 500
const subscribe = (channel: string) => `listen ${pg.escapeIdentifier(channel)}`

/** The embedded engine has one session and one process: LISTEN is sent once, and its replies are observed. */
export const listenEmbedded =
  (notifications: EventEmitter, pool: pg.Pool): Listen =>
  async (channel, { message, reconnected }) => {
    let isStopped = false
    let isTrying = false
    /** A full disk refuses this, too, until there is room again. Single-flight: the engine may be lost again meanwhile. */
    const again = async () => {
      if (isTrying) return
      isTrying = true
      while (!isStopped && !pool.ending) {
        const isBack = await pool.query(subscribe(channel)).then(
          () => true,
          () => false,
        )
        if (isBack) break
        await sleep(againMs, undefined, { ref: false })
      }
      isTrying = false
      if (!isStopped && !pool.ending) reconnected?.()
    }
    await pool.query(subscribe(channel))
    notifications.on(channel, message)
    notifications.on('lost', again)
    return async () => {
      isStopped = true
      notifications.off(channel, message)
      notifications.off('lost', again)
    }
  }

/** A dedicated connection that reconnects. */
export const listenServer =
  (databaseUrl: string, onError: (error: Error) => void): Listen =>
  async (channel, { message, reconnected }) => {
    let stopped = false
    let client = await connect()

    async function connect(): Promise<pg.Client> {
      const next = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: connectTimeoutMs,
        ...keepAliveOptions,
      })
      next.on('error', onError)
      next.on('notification', ({ payload }) => message(payload ?? ''))
      try {
        await next.connect()
        await next.query(subscribe(channel))
      } catch (error) {
        // A client that failed to LISTEN would keep its connection.
        void next.end().catch(() => undefined)
        throw error
      }
      next.once('end', () => void comeBack())
      return next
    }

    async function comeBack() {
      for (let waitMs = 200; !stopped; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
        await sleep(waitMs, undefined, { ref: false })
        try {
          client = await connect()
          reconnected?.()
          return
        } catch (error) {
          onError(error instanceof Error ? error : new Error(String(error)))
        }
      }
    }

    return async () => {
      stopped = true
      await client.end()
    }
  }
