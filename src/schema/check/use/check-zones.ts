import { entriesOf, type Report } from '#schema/check/report/report.ts'
import { type Definitions, summaryOf } from '#schema/definition.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'

type Facts = Readonly<Record<string, unknown>>

const isZone = (name: string, field: unknown) =>
  name === 'timezone' && isObject(field) && (field.type === 'timezone' || field.type === 'text')

/** True for a field by which a record tells the zone of its site: its own, that of a group, or of a reference's summary. */
function tellsZone(name: string, field: unknown, all: Definitions): boolean {
  if (!isObject(field)) return false
  if (field.type === 'group') return entriesOf(field.fields).some(([part, facts]) => isZone(part, facts))
  const target = field.type === 'reference' ? all.get(String(field.to)) : undefined
  return isZone(name, field) || (target !== undefined && summaryOf(target).includes('timezone'))
}

/** Paths of moments in the zone of a site, also among the parts of fields. */
const siteMoments = (path: string, fields: unknown): string[] =>
  entriesOf(fields).flatMap(([name, field]) => {
    const facts: Facts = isObject(field) ? field : {}
    const own = facts.type === 'dateTime' && facts.zone === 'site' ? [`${path}.${name}.zone`] : []
    return [...own, ...siteMoments(`${path}.${name}.fields`, facts.fields)]
  })

/** Moments in the zone of a site of which a record tells no zone: they would be shown in that of the viewer. */
export function checkZones(report: Report, resource: AnyResource, all: Definitions): void {
  if (entriesOf(resource.fields).some(([name, field]) => tellsZone(name, field, all))) return
  const forms = entriesOf(resource.actions).flatMap(([name, action]) =>
    isObject(action) ? siteMoments(`${resource.name}.actions.${name}.form`, action.form) : [],
  )
  for (const path of [...siteMoments(`${resource.name}.fields`, resource.fields), ...forms])
    report(
      'fact-in-vain',
      path,
      "the record tells no zone of a site, so that of the viewer would be shown; add `timezone: { type: 'timezone', … }` to it or to one of its groups, or drop zone",
    )
}
