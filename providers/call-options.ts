import type { MetaQuery } from '@refinedev/core'
import type { AnswerShape } from './http.ts'

/** Uploaded share, 0 to 1. */
export type OnProgress = (share: number) => void

/**
 * Options of a data call. Refine merges the page's query parameters into `meta`, so only this allow-list is read: neither
 * method nor headers, and only values that a URL cannot contain.
 */
export type CallOptions = {
  signal?: AbortSignal
  onProgress?: OnProgress
  /** The caller shows the error; no notification. */
  quiet?: boolean
  /** The caller merges a record that has changed meanwhile; no notification of that conflict. */
  merges?: boolean
  /**
   * Idempotency key of a POST that outlives the page; default: one by content. A function, because a text in `meta` may come from
   * the address.
   */
  onceKey?: () => string
  /** The response is a file, returned as a Blob. */
  file?: boolean
  /** Required shape of the answer: an empty one to a write means that nothing was saved. */
  shape?: AnswerShape | undefined
}

const isKey = (value: unknown): value is () => string => typeof value === 'function'
const isProgress = (value: unknown): value is OnProgress => typeof value === 'function'

/** The allowed part of a call's `meta`. */
export function callOptions(meta: MetaQuery | undefined): CallOptions {
  const signal: unknown = meta?.queryContext?.signal
  const onProgress: unknown = meta?.onProgress
  return {
    ...(signal instanceof AbortSignal ? { signal } : {}),
    ...(isProgress(onProgress) ? { onProgress } : {}),
    ...(meta?.quiet === true ? { quiet: true } : {}),
    ...(meta?.merges === true ? { merges: true } : {}),
    ...(isKey(meta?.onceKey) ? { onceKey: meta.onceKey } : {}),
    ...(meta?.file === true ? { file: true } : {}),
  }
}

export const keyHeader = 'Idempotency-Key'

/** A body with a file is sent as multipart with the single field `file`, any other as JSON; undefined for an empty one. */
export function requestBody(values: Readonly<Record<string, unknown>>): FormData | Record<string, unknown> | undefined {
  const file = Object.values(values).find((value) => value instanceof Blob)
  if (!file) return Object.keys(values).length > 0 ? { ...values } : undefined
  const form = new FormData()
  form.set('file', file)
  return form
}
