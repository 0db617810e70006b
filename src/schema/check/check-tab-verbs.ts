import { type Definitions, isRelated, pathOf, rolesFor } from '#schema/definition.ts'
import type { Tab } from '#schema/facts/tab-facts.ts'
import {
  besideLink,
  isRequiredLink,
  linkOf,
  mayInTab,
  pointersOf,
  type TabPlace,
  type TabVerb,
  tabVerbs,
  unwritableIn,
} from '#schema/form/tab-links.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import type { AnyResource } from '#schema/resource.ts'
import { roles } from '#schema/roles.ts'
import { type Report, withArticle } from './report/report.ts'

type At = { path: string; verb: TabVerb; target: AnyResource }

const deeds = { create: 'make', attach: 'change', detach: 'change' } as const satisfies Record<TabVerb, string>

/** The one reference that links the rows to the record, named or inferred. */
function checkLink(report: Report, { path, target }: At, place: TabPlace, all: Definitions): boolean {
  if (linkOf(all, place)) return true
  const pointers = pointersOf(all, place)
  const example = `match: { ${pointers[0] ?? 'field'}: '$record.id' }`
  const why =
    pointers.length === 0
      ? `no field of ${target.name} refers to ${place.parent.name}`
      : place.tab.match
        ? `its match has no single reference; say ${example}`
        : `${pointers.join(' and ')} refer to ${place.parent.name}; say which by ${example}`
  report('tab-without-link', path, `a row would not come to this record: ${why}`, {
    word: Object.keys(place.tab.match ?? {})[0] ?? '',
    among: pointers,
  })
  return false
}

const isSeenBy = ({ parent, tab }: TabPlace, role: (typeof roles)[number]) =>
  rolesFor(parent, 'show').includes(role) && (tab.roles?.includes(role) ?? true)

function checkVerb(report: Report, at: At, place: TabPlace, all: Definitions): void {
  const { path, target, verb } = at
  if (!checkLink(report, at, place, all)) return
  const link = linkOf(all, place)
  const [closed] = unwritableIn(all, place, verb)
  const [beside] = besideLink(all, place)
  if (closed !== undefined)
    return report('can-not-write', path, `no form writes "${closed}" of ${target.name}, by which its rows are found`)
  if (verb === 'attach' && beside !== undefined)
    return report('match-beside-link', path, `it writes "${link?.name}" alone, and the rows are found by "${beside}", too`)
  if (verb === 'detach' && link && isRequiredLink(link))
    return report('required-reference', path, `"${link.name}" of ${target.name} is required, so no row can be without it`)
  if (pathOf(target, tabVerbs[verb]) === undefined || rolesFor(target, tabVerbs[verb]).length === 0)
    return report('nobody-may', path, `nobody may ${deeds[verb]} ${withArticle(target.name)}`)
  const able = roles.filter((role) => isSeenBy(place, role) && mayInTab(permissionsFor(all, role), all, place, verb))
  if (able.length === 0)
    report(
      'nobody-may',
      path,
      `no role that sees the tab may ${deeds[verb]} ${withArticle(target.name)} and write its reference`,
    )
}

function checkTab(report: Report, parent: AnyResource, path: string, tab: Tab, all: Definitions): void {
  for (const verb of Object.keys(tabVerbs) as TabVerb[]) {
    const said: unknown = Reflect.get(tab, verb)
    if (said === undefined) continue
    const at = `${path}.${verb}`
    const target = isRelated(tab) ? all.get(tab.resource) : undefined
    if (said !== true) report('wrong-type', at, `${verb} is true or left out`)
    else if (!isRelated(tab)) report('tab-without-link', at, 'only a tab of related records has rows')
    else if (target) checkVerb(report, { path: at, verb, target }, { parent, tab }, all)
  }
}

/** Checks create, attach and detach of a tab. */
export function checkTabVerbs(report: Report, resource: AnyResource, all: Definitions): void {
  for (const [name, tab] of Object.entries(resource.tabs ?? {}))
    checkTab(report, resource, `${resource.name}.tabs.${name}`, tab, all)
}
