import { figureTones } from '#schema/facts/figure-facts.ts'
import { menuGroups } from '#schema/facts/menu-facts.ts'
import { menuCountOf } from '#schema/figures.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { checkFilters } from './check-filters.ts'
import { checkLabel, type Report, unknownKeys, unknownWord } from './report/report.ts'

function checkCount(report: Report, resource: AnyResource, path: string): void {
  const count = menuCountOf(resource)
  if (count === undefined) return
  if (!isObject(count)) return report('wrong-type', path, 'a count of the menu is { filters, tone, label }')
  unknownKeys(report, 'unknown-key', path, count, ['filters', 'tone', 'label'], 'a count of the menu')
  unknownWord(report, 'unknown-tone', `${path}.tone`, count.tone, figureTones, 'tone')
  checkLabel(report, `${path}.label`, count.label)
  if (!isObject(count.filters)) report('wrong-type', `${path}.filters`, "filters are those of the list, like { state: 'OPEN' }")
  else checkFilters(report, resource, `${path}.filters`, count.filters, 'moments')
}

/** A known menu group, and filters that the list accepts. */
export function checkMenu(report: Report, resource: AnyResource): void {
  const { menu } = resource
  if (menu === undefined || menu === false) return
  const path = `${resource.name}.menu`
  if (!isObject(menu)) return report('wrong-type', path, 'the place in the menu is false or { group, count?, filters? }')
  unknownKeys(report, 'unknown-key', path, menu, ['group', 'count', 'filters'], 'a place in the menu')
  unknownWord(report, 'unknown-menu-group', `${path}.group`, menu.group, Object.keys(menuGroups), 'group')
  checkCount(report, resource, `${path}.count`)
  const { filters } = menu
  if (filters === undefined) return
  if (!isObject(filters)) report('wrong-type', `${path}.filters`, "filters are those of the list, like { state: 'OPEN' }")
  else checkFilters(report, resource, `${path}.filters`, filters)
}
