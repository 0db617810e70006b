import { isObject } from '#schema/is-object.ts'
import type { Label } from '#schema/words.ts'

export const mustDiffer: Label = ['Must differ from the beginning', 'Должно отличаться от начала']

/** Parts of a window because of which it would never open. */
export function windowFaults(window: unknown): ['to', Label][] {
  if (!isObject(window)) return []
  const { from, to } = window
  return typeof from === 'string' && from === to ? [['to', mustDiffer]] : []
}
