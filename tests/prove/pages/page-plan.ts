import { isOpenTo, rolesFor, routeOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { type Language, say } from '#schema/words.ts'
import { hasScreen, type Screen, screens } from '#shell/screens.ts'
import { creatorOf, type Json, makerOf } from '#tests/prove/proven.ts'

/** A page to open. `heading`: its heading, where the definition says it. */
export type PlannedPage = { screen: Screen; path: string; heading?: (language: Language) => string }
export type Plan = { pages: PlannedPage[]; leftOut: [string, string][] }

/** Every look is seen at every width and in every language, not all three together: half of the visits. */
export const visits = [
  {
    language: 'en',
    looks: [
      ['light', 1440],
      ['dark', 390],
    ],
  },
  {
    language: 'ru',
    looks: [
      ['dark', 1440],
      ['light', 390],
    ],
  },
] as const

/** The role that the pages are opened as: one that may open all of them before one that may open the list. */
export const visitorOf = (of: AnyResource): Role | undefined =>
  creatorOf(of) ?? makerOf(of) ?? rolesFor(of, 'list')[0] ?? rolesFor(of, 'show')[0]

/** The pages of a definition, with those that there is nothing to see of. */
export function planOf(of: AnyResource, as: Role, records: readonly Json[]): Plan {
  const context = { user: { id: '', role: as }, now: new Date().toISOString() }
  const route = `/${routeOf(of)}`
  const editable = records.find((record) => isOpenTo(of, 'edit', record, context))
  const paths: Record<Screen, string | undefined> = {
    list: route,
    create: `${route}/create`,
    show: records[0] && `${route}/${records[0].id}`,
    edit: editable && `${route}/${editable.id}/edit`,
  }
  const plan: Plan = { pages: [], leftOut: [] }
  for (const screen of screens) {
    const path = paths[screen]
    const may = hasScreen(of, screen) && rolesFor(of, screen).includes(as)
    if (!may) plan.leftOut.push([`page ${screen}`, 'the definition has none'])
    else if (path === undefined) plan.leftOut.push([`page ${screen}`, 'there is no record to open in it, and none can be made'])
    else
      plan.pages.push({ screen, path, ...(screen === 'list' ? { heading: (language) => say(of.label.many, language) } : {}) })
  }
  return plan
}
