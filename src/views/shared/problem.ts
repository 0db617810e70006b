import { isObject } from '#schema/is-object.ts'
/** An API error as the data provider rejects with it. */
export type Problem = {
  statusCode: number
  message: string
  /** Messages by field path. */
  errors: Readonly<Record<string, string>>
  /** 409 on a stale version: the current record. 422 of a used key: the record that the first call has stored. */
  current?: Readonly<Record<string, unknown>> | undefined
  /** 409 of a deletion: what refers to the record. */
  uses?: unknown
}

const messageText = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join('; ') : typeof value === 'string' ? value : ''

/** Normalises any thrown value to a problem. */
export function problemOf(error: unknown): Problem {
  if (!isObject(error)) return { statusCode: 0, message: String(error ?? ''), errors: {} }
  const errors = isObject(error.errors) ? error.errors : {}
  return {
    statusCode: typeof error.statusCode === 'number' ? error.statusCode : 0,
    message: error instanceof Error ? error.message : messageText(error.message),
    errors: Object.fromEntries(Object.entries(errors).map(([path, message]) => [path, messageText(message)])),
    current: isObject(error.current) ? error.current : undefined,
    uses: error.uses,
  }
}

const goneStatuses = new Set([403, 404, 410])

/** True when a record was deleted or is no longer visible to this viewer. */
export const isGone = (error: unknown): boolean => goneStatuses.has(problemOf(error).statusCode)
