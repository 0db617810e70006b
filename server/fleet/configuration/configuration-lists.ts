import { standards } from '#resources/fleet/warnings/warning-codes.ts'
import { isObject } from '#schema/is-object.ts'
import type { Label } from '#schema/words.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { mustDiffer } from './window-faults.ts'

/** Reports a fault at a path of the configuration. */
export type Say = (path: string, text: Label) => void

export const rowsIn = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isObject) : [])

type Slot = { days: readonly unknown[]; from: string; to: string }
const slotOf = ({ days, from, to }: Row): Slot => ({
  days: Array.isArray(days) ? days : [],
  from: String(from),
  to: String(to),
})

/** Day parts of a schedule entry: one that ends before it begins crosses midnight. */
const partsOf = ({ from, to }: Slot): [string, string][] =>
  from <= to
    ? [[from, to]]
    : [
        [from, '24:00'],
        ['00:00', to],
      ]
const meet = (a: Slot, b: Slot) =>
  a.days.some((day) => b.days.includes(day)) &&
  partsOf(a).some(([from, to]) => partsOf(b).some(([start, end]) => from < end && start < to))

/** Entries of a schedule must not overlap at any time of the week, and must not be empty. */
export function checkSchedule(schedule: unknown, say: Say): void {
  const slots = rowsIn(schedule).map(slotOf)
  if (slots.some((slot, index) => slots.slice(index + 1).some((other) => meet(slot, other))))
    say('schedule', ['Two entries overlap', 'Две записи пересекаются'])
  for (const [index, { from, to }] of slots.entries()) if (from === to) say(`schedule.${index}.to`, mustDiffer)
}

/** The low-charge level is relative to the board's own limit, so it has no standard; lower is worse. */
const bySocMin = { code: 'SOC_LOW', chemistry: null, direction: 'below' } as const

const unsafe: Label = ['It ends on the safe side of where it begins', 'Снимается с безопасной стороны от порога']
const unknown: Label = ['No warning of this code has a threshold', 'У предупреждения с таким кодом нет порога']
const twice: Label = ['This code is in the list already', 'Этот код уже есть в списке']

/** A threshold override names a code with thresholds, once, and clears on its safe side. */
export function checkThresholds(given: unknown, chemistry: string | null, say: Say): void {
  const seen = new Set<unknown>()
  for (const [index, { code, raise, clear }] of rowsIn(given).entries()) {
    const known = [bySocMin, ...standards].filter((standard) => standard.code === code)
    const standard = known.find((one) => one.chemistry === chemistry) ?? known[0]
    const at = `warningOverrides.${index}`
    if (!standard) say(`${at}.code`, unknown)
    if (seen.has(code)) say(`${at}.code`, twice)
    seen.add(code)
    if (!standard || typeof raise !== 'number' || typeof clear !== 'number') continue
    if (standard.direction === 'below' ? clear < raise : clear > raise) say(`${at}.clear`, unsafe)
  }
}
