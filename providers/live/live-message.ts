import { readTone } from '#providers/push/push-message.ts'
import type { PushNote } from '#providers/push/push-transport.ts'
import { isObject } from '#schema/is-object.ts'
import type { LiveEvent } from '#schema/wire/wire.ts'
import type { Label } from '#schema/words.ts'
import type { SseMessage } from './sse-parser.ts'

/** A notification in all languages. `link` is a path of the console; with a `deviceId` it is for that device only. */
export type LiveNote = Omit<PushNote, 'title' | 'body'> & { title: Label; body: Label; deviceId?: string | undefined }

/**
 * `ready`: from here on no event is missed. `reset`: earlier events are lost, so everything must be refetched. `merged`: resources
 * with more changes than are sent one by one. `reach`: from the leader tab, when the server stopped answering; absent = it does.
 */
export type LiveMessage =
  | { kind: 'change'; change: LiveEvent }
  | { kind: 'merged'; resources: readonly string[] }
  | { kind: 'note'; note: LiveNote }
  | { kind: 'reach'; sinceMs?: number | undefined }
  | { kind: 'ready' | 'reset' }

/** The inline languages, and those of files that the server has loaded. */
const isLabel = (value: unknown): value is Label =>
  Array.isArray(value) && value.length >= 2 && value.every((text) => typeof text === 'string')
const isType = (value: unknown): value is LiveEvent['type'] =>
  value === 'created' || value === 'updated' || value === 'deleted' || value === 'notification'

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function noteOf({ id, title, body, tone, link, deviceId }: Record<string, unknown>): LiveMessage[] {
  if (typeof id !== 'string' || !isLabel(title) || !isLabel(body)) return []
  const device = typeof deviceId === 'string' ? { deviceId } : {}
  return [
    { kind: 'note', note: { id, title, body, tone: readTone(tone), link: typeof link === 'string' ? link : null, ...device } },
  ]
}

const mergedOf = ({ resources }: Record<string, unknown>): LiveMessage[] =>
  Array.isArray(resources) ? [{ kind: 'merged', resources: resources.filter((name) => typeof name === 'string') }] : []

/** Parses a message of the stream; undefined for an unknown kind. */
export function readMessage({ event, data }: SseMessage): LiveMessage[] {
  if (event === 'ready' || event === 'reset') return [{ kind: event }]
  const payload = parsed(data)
  if (!isObject(payload)) return []
  if (event === 'merged') return mergedOf(payload)
  if (!isType(payload.type)) return []
  if (payload.type === 'notification') return noteOf(payload)
  const { resource, id, version, type, at } = payload
  if (typeof resource !== 'string' || typeof id !== 'string' || typeof version !== 'number') return []
  return [{ kind: 'change', change: { resource, id, version, type, at: typeof at === 'string' ? at : '' } }]
}
