import { type EventValues, eventText, isEventCode } from '#resources/fleet/event-words.ts'
import { valueAt } from '#schema/rule.ts'
import type { Language } from '#schema/words.ts'

/** An event of an update's timeline. */
export type UpdateEvent = {
  at: string
  from: string | null
  to: string
  progressPct: number | null
  source: string | null
  code: unknown
  values: EventValues
  message: string | null
}

const textOf = (value: unknown) => (typeof value === 'string' && value ? value : null)
const isValue = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number'
const valuesOf = (given: unknown): EventValues =>
  Object.fromEntries(Object.entries(Object(given)).filter((entry): entry is [string, string | number] => isValue(entry[1])))

/** A record's events in chronological order; malformed ones are skipped. */
export function readEvents(events: unknown): UpdateEvent[] {
  if (!Array.isArray(events)) return []
  return events.flatMap((event: unknown) => {
    const [at, to] = [textOf(valueAt(event, 'at')), textOf(valueAt(event, 'to'))]
    if (!at || !to) return []
    const progressPct = valueAt(event, 'progressPct')
    return [
      {
        at,
        to,
        from: textOf(valueAt(event, 'from')),
        progressPct: typeof progressPct === 'number' ? progressPct : null,
        source: textOf(valueAt(event, 'source')),
        code: valueAt(event, 'code'),
        values: valuesOf(valueAt(event, 'values')),
        message: textOf(valueAt(event, 'message')),
      },
    ]
  })
}

/** Reason of an event: translated if its code is known, else unchanged. */
export const eventReason = (
  { code, values, message }: UpdateEvent,
  language: Language,
  failureText: (code: string) => string,
): string | null =>
  isEventCode(code)
    ? eventText(code, values.failure ? { ...values, failure: failureText(String(values.failure)) } : values, language)
    : message
