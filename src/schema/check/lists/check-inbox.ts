import { checkPermit } from '#schema/check/check-actions.ts'
import { checkPaths } from '#schema/check/check-paths.ts'
import { checkLabel, entriesOf, type Report, unknownKeys } from '#schema/check/report/report.ts'
import type { Inbox } from '#schema/facts/inbox-facts.ts'
import type { Field } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'

const isShown = ({ sortOnly }: Field) => !sortOnly

/** Checks the work page of a list. There is one such page: that of the first definition that has an inbox. */
export function checkInbox(
  report: Report,
  resource: AnyResource,
  inbox: Inbox | undefined,
  all: ReadonlyMap<string, AnyResource>,
): void {
  if (inbox === undefined) return
  const path = `${resource.name}.list.inbox`
  const first = [...all.values()].find(({ list }) => isObject(list) && list.inbox !== undefined)
  if (first && first.name !== resource.name)
    report('second-inbox', path, `the console has one inbox, and "${first.name}" has it; drop \`inbox\` in one of them`)
  if (!isObject(inbox)) return report('wrong-type', path, 'an inbox is { tabs, start, groups }')
  unknownKeys(report, 'unknown-key', path, inbox, ['tabs', 'start', 'groups'], 'an inbox')
  for (const [name, tab] of entriesOf(inbox.tabs))
    if (isObject(tab)) {
      checkLabel(report, `${path}.tabs.${name}.label`, tab.label)
      if (tab.text !== undefined) checkLabel(report, `${path}.tabs.${name}.text`, tab.text)
      checkPermit(report, resource, `${path}.tabs.${name}.only`, tab.only)
    }
  const among = Object.keys(inbox.tabs ?? {})
  if (!among.includes(inbox.start))
    report('unknown-tab', `${path}.start`, `there is no tab "${inbox.start}"`, { word: String(inbox.start), among })
  checkPaths(report, resource, {
    code: 'unknown-column',
    path: `${path}.groups`,
    words: inbox.groups,
    fits: isShown,
    why: 'shown',
  })
}
