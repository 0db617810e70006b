import type { AnyResource } from '#schema/resource.ts'
import type { Report } from './report/report.ts'

/** Keys that every list uses: down, up, select. */
const takenKeys = ['j', 'k', 'x']

/** Action keys of a list: single letters without duplicates. */
export function checkKeys(report: Report, resource: AnyResource): void {
  const known = new Map(takenKeys.map((key) => [key, 'every list']))
  for (const [name, { key }] of Object.entries(resource.actions ?? {})) {
    if (key === undefined) continue
    const path = `${resource.name}.actions.${name}.key`
    if (!/^[a-z]$/.test(key)) report('bad-key', path, 'a key is one small letter')
    else if (known.has(key)) report('duplicate-key', path, `"${key}" belongs to ${known.get(key)} already`)
    known.set(key, name)
  }
}
