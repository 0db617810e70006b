import { isObject } from '#schema/is-object.ts'
import type { Label } from '#schema/words.ts'

export const mustDiffer: Label = ['Must differ from the beginning', 'Должно отличаться от начала']

/** Parts of a window because of which it would never open. */
export function windowFaults(window: unknown): ['days' | 'to', Label][] {
  if (!isObject(window)) return []
  const { days, from, to } = window
  const faults: ['days' | 'to', Label][] = []
  if (Array.isArray(days) && days.length === 0) faults.push(['days', ['Choose a day at least', 'Выберите хотя бы один день']])
  if (typeof from === 'string' && from === to) faults.push(['to', mustDiffer])
  return faults
}
