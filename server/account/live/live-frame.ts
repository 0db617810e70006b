import type { LiveEvent, LiveNote } from '#schema/wire/wire.ts'
import { eventIdOf, type Position } from './event-position.ts'
import type { StoredEvent } from './event-store.ts'

const frame = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n\n`)

/** Comments keep proxies and readers awake; the first one makes the headers leave. */
export const openingFrame = frame([': connected'])
export const pingFrame = frame([': ping'])

function told({ event, note }: StoredEvent): LiveEvent | LiveNote {
  if (!note) return event
  const { title, body, link, deviceId } = note
  return { ...event, title, body, link, ...(deviceId ? { deviceId } : {}) }
}

/** The bytes of an event, made once and written to every reader. JSON has no line breaks, so an event is one line. */
export const eventFrame = (stored: StoredEvent): Buffer =>
  frame([`id: ${eventIdOf(stored.position, stored.atMs)}`, `data: ${JSON.stringify(told(stored))}`])

/** `ready`: from here on nothing is missed. `reset`: what happened before is lost, so everything has to be read again. */
export const signalFrame = (type: 'ready' | 'reset', position: Position, atMs: number): Buffer =>
  frame([`event: ${type}`, `id: ${eventIdOf(position, atMs)}`, `data: ${JSON.stringify({ type })}`])
