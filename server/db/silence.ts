import { Socket } from 'node:net'
import type pg from 'pg'

const lifts = /\bstatement_timeout = 0\b/
const ends = /^\s*(commit|rollback)\b/i

const textOf = (asked: unknown): string => (typeof asked === 'string' ? asked : String(Object(asked).text ?? ''))

class Silence extends Error {
  override readonly name = 'Silence'
  readonly code = 'ETIMEDOUT'
}

/**
 * Cuts a connection that is silent for longer than a statement may take. A host that vanishes leaves requests unanswered, and
 * the kernel would wait for a quarter of an hour. Transactions that lift the statement timeout are exempt.
 */
export function cutSilent(client: pg.PoolClient, silentMs: number): void {
  const socket: unknown = Reflect.get(Object(Reflect.get(client, 'connection')), 'stream')
  if (!(socket instanceof Socket)) return
  let isLifted = false
  const query = client.query
  const watched = (...given: unknown[]) => {
    const text = textOf(given[0])
    if (lifts.test(text)) isLifted = true
    if (ends.test(text)) isLifted = false
    socket.setTimeout(isLifted ? 0 : silentMs)
    return Reflect.apply(query, client, given)
  }
  Reflect.set(client, 'query', watched)
  socket.on('timeout', () => socket.destroy(new Silence(`The database said nothing for ${silentMs / 1000} s`)))
}
