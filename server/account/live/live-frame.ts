import type { LiveEvent, LiveMerged, LiveNote } from '#schema/wire/wire.ts'
import { eventIdOf, type Position } from './event-position.ts'
import type { StoredEvent } from './event-store.ts'

const frame = (lines: readonly string[]) => Buffer.from(`${lines.join('\n')}\n\n`)

/** Comments keep proxies and clients from timing out; the first one flushes the headers. */
export const openingFrame = frame([': connected'])
export const pingFrame = frame([': ping'])

function messageOf({ event, note }: StoredEvent): LiveEvent | LiveNote {
  if (!note) return event
  const { title, body, link, deviceId } = note
  return { ...event, title, body, link, ...(deviceId ? { deviceId } : {}) }
}

/** An event as bytes, serialised once for all clients. JSON has no line breaks, so one data line is enough. */
export const eventFrame = (stored: StoredEvent): Buffer =>
  frame([`id: ${eventIdOf(stored.position, stored.atMs)}`, `data: ${JSON.stringify(messageOf(stored))}`])

/** Changes that were not sent one by one, up to the position. */
export function mergedFrame(resources: Iterable<string>, position: Position, atMs: number): Buffer {
  const data: LiveMerged = { type: 'merged', resources: [...resources] }
  return frame(['event: merged', `id: ${eventIdOf(position, atMs)}`, `data: ${JSON.stringify(data)}`])
}

/** `ready`: from here on no event is missed. `reset`: earlier events are lost, so everything must be refetched. */
export const signalFrame = (type: 'ready' | 'reset', position: Position, atMs: number): Buffer =>
  frame([`event: ${type}`, `id: ${eventIdOf(position, atMs)}`, `data: ${JSON.stringify({ type })}`])
