import type { KnownNames } from '#schema/check/report/known-names.ts'
import type { Report } from '#schema/check/report/report.ts'
import { baseOf, type Definitions } from '#schema/definition.ts'
import { isSentAlone } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'

/** First segments of the calls that no resource has. */
export const ownCalls = [
  'auth',
  'chemistry-preset',
  'dashboard',
  'demo-fleet',
  'device',
  'docs',
  'events',
  'export',
  'files',
  'health',
  'import',
  'import-job',
  'ingest',
  'openapi.json',
  'menu',
  'outbox',
  'ready',
  'support',
  'telemetry',
  'warning-threshold',
] as const

const segmentOf = (path: unknown) => String(path).split(/[/?]/)[0] ?? ''

/** A call whose first segment is neither a resource nor a call of the server answers 404. */
function checkCall(report: Report, at: string, path: unknown, all: Definitions): void {
  if (typeof path !== 'string' || path.startsWith('/')) return
  const among = [...all.keys()]
  const word = segmentOf(path)
  if (!among.includes(word) && !ownCalls.some((call) => call === word))
    report('unknown-call', at, `"${path}" belongs to no resource: none is called "${word}"`, { word, among })
}

/** Calls that are answered by the rules of a resource only: counts of a list, and a file that is sent alone. */
function checkServed(report: Report, resource: AnyResource, { routed }: KnownNames): void {
  const isServed = (name: string) => !routed || routed.includes(name)
  const { facet } = resource.list ?? {}
  const rules = (name: string) => `write \`routes\` in the ResourceRules of ${name}, or drop it`
  if (isObject(facet) && !isServed(segmentOf(facet.from)))
    report(
      'unserved-call',
      `${resource.name}.list.facet.from`,
      `nothing answers "${facet.from}"; ${rules(segmentOf(facet.from))}`,
    )
  for (const [name, field] of Object.entries(resource.fields))
    if (isSentAlone(field) && !isServed(baseOf(resource)))
      report('unserved-call', `${resource.name}.fields.${name}.sent`, `nothing reads the file; ${rules(baseOf(resource))}`)
}

/** Calls of a definition that nothing answers. */
export function checkCalls(report: Report, resource: AnyResource, all: Definitions, known: KnownNames): void {
  for (const [name, action] of Object.entries(resource.actions ?? {})) {
    const path = `${resource.name}.actions.${name}`
    if (!isObject(action)) continue
    if (Array.isArray(action.call)) checkCall(report, `${path}.call[1]`, action.call[1], all)
    if (action.from !== undefined) checkCall(report, `${path}.from`, action.from, all)
  }
  checkServed(report, resource, known)
}
