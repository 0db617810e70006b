import { dayMs } from '#schema/format/durations.ts'
import { isObject } from '#schema/is-object.ts'
import type { Values } from '#views/form/form-values.ts'

export type Draft = {
  values: Values
  base: Values
  version: number
  atMs: number
  /** Idempotency key of a new record: whoever restores the draft may repeat a call whose answer was lost. */
  key?: string | undefined
}

const prefix = 'ess-console.draft.'
const lifeMs = 14 * dayMs

/** One draft per user and form, so that users of a shared browser never see each other's input. */
export const draftKey = (userId: string, form: string, id: string | undefined): string =>
  `${prefix}${userId}.${form}.${id ?? 'new'}`

function parse(json: string | null): Draft | undefined {
  const read: unknown = JSON.parse(json ?? 'null')
  if (!isObject(read) || !isObject(read.values)) return undefined
  return {
    values: read.values,
    base: isObject(read.base) ? read.base : {},
    version: Number(read.version) || 1,
    atMs: Number(read.atMs) || 0,
    ...(typeof read.key === 'string' ? { key: read.key } : {}),
  }
}

/** The draft, unless it is older than two weeks. */
function readDraft(key: string): Draft | undefined {
  try {
    const draft = parse(localStorage.getItem(key))
    if (draft && Date.now() - draft.atMs <= lifeMs) return draft
    localStorage.removeItem(key)
  } catch {
    // Unreadable or blocked storage: no draft.
  }
  return undefined
}

/** The slot of one visit of a form: two tabs with the same form never overwrite each other's input. */
export const ownSlot = (storageKey: string): string =>
  `${storageKey}#${Date.now().toString(36)}${Math.random().toString(36).slice(2)}`

export type FoundDraft = { key: string; draft: Draft }

/** The drafts that earlier visits of a form, or other tabs, have left; the newest comes first. */
export function foundDrafts(storageKey: string): FoundDraft[] {
  try {
    return [storageKey, ...storedKeys(`${storageKey}#`)]
      .flatMap((key) => {
        const draft = readDraft(key)
        return draft ? [{ key, draft }] : []
      })
      .sort((a, b) => b.draft.atMs - a.draft.atMs)
  } catch {
    return []
  }
}

const storedKeys = (start: string): string[] =>
  Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '').filter((key) =>
    key.startsWith(start),
  )

/** Removes expired drafts. */
function prune(): void {
  for (const key of storedKeys(prefix)) readDraft(key)
}

/** True when this browser keeps a draft of the user. */
export function hasDrafts(userId: string): boolean {
  try {
    return storedKeys(`${prefix}${userId}.`).some((key) => readDraft(key))
  } catch {
    return false
  }
}

export function writeDraft(key: string, draft: Draft): void {
  try {
    if (localStorage.getItem(key) === null) prune()
    localStorage.setItem(key, JSON.stringify(draft))
  } catch {
    // Full or blocked storage only loses the draft.
    return
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    return
  }
}
