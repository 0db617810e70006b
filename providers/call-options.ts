import type { MetaQuery } from '@refinedev/core'
import type { AxiosRequestConfig } from 'axios'

/** Share of a file that has left, 0 to 1. */
export type OnProgress = (share: number) => void

/**
 * Options of a data call. Refine merges the page's query parameters into `meta`, so only this allow-list is read: no method, no
 * headers, and only values that a URL cannot carry.
 */
export type CallOptions = {
  signal?: AbortSignal
  onProgress?: OnProgress
  /** Its failure is shown by the caller, not announced. */
  quiet?: boolean
  /** The answer is a file: its bytes come as a Blob. */
  file?: boolean
}

const isProgress = (value: unknown): value is OnProgress => typeof value === 'function'

/** The allowed part of a call's `meta`. */
export function callOptions(meta: MetaQuery | undefined): CallOptions {
  const signal: unknown = meta?.queryContext?.signal
  const onProgress: unknown = meta?.onProgress
  return {
    ...(signal instanceof AbortSignal ? { signal } : {}),
    ...(isProgress(onProgress) ? { onProgress } : {}),
    ...(meta?.quiet === true ? { quiet: true } : {}),
    ...(meta?.file === true ? { file: true } : {}),
  }
}

/** A large file over a poor line takes its time. */
const downloadTimeoutMs = 600_000

export function requestConfig({ signal, onProgress, quiet, file }: CallOptions): AxiosRequestConfig {
  return {
    ...(signal ? { signal } : {}),
    ...(quiet ? { quiet } : {}),
    ...(file ? { responseType: 'blob', timeout: downloadTimeoutMs } : {}),
    ...(onProgress ? { onUploadProgress: ({ loaded, total }) => onProgress(total ? Math.min(1, loaded / total) : 0) } : {}),
  }
}

/** A body with a file travels as multipart with the single field `file`, any other as JSON; undefined when there is nothing to say. */
export function requestBody(values: Readonly<Record<string, unknown>>): FormData | Record<string, unknown> | undefined {
  const file = Object.values(values).find((value) => value instanceof Blob)
  if (!file) return Object.keys(values).length > 0 ? { ...values } : undefined
  const form = new FormData()
  form.set('file', file)
  return form
}
