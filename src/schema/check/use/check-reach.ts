import type { Report } from '#schema/check/report/report.ts'
import { withArticle } from '#schema/check/report/report.ts'
import { fieldOf, sectionsOf, titleOf } from '#schema/definition.ts'
import { type FieldType, mayBeTitle, traits } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'

/** The tab at the record's own path, and the tab of its changes. */
const indexTab = 'index'
const historyTab = 'history'

/** Sections that a record never shows, since its first tab names others. */
function checkSections(report: Report, resource: AnyResource): void {
  const tabs = Object.values(resource.tabs ?? {}).filter(isObject)
  const index: unknown = resource.tabs?.[indexTab]
  if (!isObject(index) || !Array.isArray(index.sections)) return
  const shown = new Set(
    tabs.flatMap((tab) => ('sections' in tab && Array.isArray(tab.sections) ? tab.sections.map(String) : [])),
  )
  for (const [name, { fields }] of Object.entries(sectionsOf(resource))) {
    const isReadable = fields.some((path) => fieldOf(resource, path) && fieldOf(resource, path)?.type !== 'secret')
    if (!shown.has(name) && isReadable)
      report(
        'section-unseen',
        `${resource.name}.sections.${name}`,
        `no tab shows it, so a record never does; name it in \`sections\` of a tab, like tabs.${indexTab}`,
      )
  }
}

const titleTypes = Object.keys(traits).filter((type) => mayBeTitle({ type: type as FieldType }))

/** Places of layouts that exist and lead nowhere. */
export function checkReach(report: Report, resource: AnyResource): void {
  const { name, actions = {}, list, tabs = {}, title } = resource
  checkSections(report, resource)
  if (Object.hasOwn(tabs, historyTab))
    report(
      'reserved-name',
      `${name}.tabs.${historyTab}`,
      'the tab of the changes of every record has this address; call the tab otherwise',
    )
  for (const [index, action] of (list?.bulk ?? []).entries())
    if (actions[action]?.on === 'row')
      report(
        'bulk-of-row',
        `${name}.list.bulk[${index}]`,
        `"${action}" is about a row of a tab; say on: 'bulk', or drop it here`,
      )
  const field = title === undefined || title === 'id' ? undefined : fieldOf(resource, titleOf(resource))
  if (field && Object.hasOwn(traits, field.type) && !mayBeTitle(field))
    report(
      'unsuited-title',
      `${name}.title`,
      `${withArticle(field.type)} can not be the title of a record; name a field of type ${titleTypes.join(', ')}`,
    )
}
