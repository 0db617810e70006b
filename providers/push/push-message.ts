import { type Tone, tones } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { PushNote } from './push-transport.ts'

/** Messages between pages and the service worker: a notification to show. */
export type PushMessage = { kind: 'note'; note: PushNote }

export const readTone = (value: unknown): Tone => tones.find((tone) => tone === value) ?? 'info'

/** A notification from a message, or from the data of a push; undefined for anything else. */
export function readNote(value: unknown): PushNote | undefined {
  if (!isObject(value)) return undefined
  const { id, title, body, tone, link } = value
  if (typeof id !== 'string' || typeof title !== 'string') return undefined
  return {
    id,
    title,
    body: typeof body === 'string' ? body : '',
    tone: readTone(tone),
    link: typeof link === 'string' && link ? link : null,
  }
}

export const readPushMessage = (value: unknown): PushNote | undefined =>
  isObject(value) && value.kind === 'note' ? readNote(value.note) : undefined

/** The console path of a link; undefined for another origin. */
export function ownPath(link: string | null, origin: string): string | undefined {
  if (link === null || !URL.canParse(link, origin)) return undefined
  const { origin: target, pathname, search, hash } = new URL(link, origin)
  return target === origin ? pathname + search + hash : undefined
}
