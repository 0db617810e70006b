import { baseOf, type Definitions } from '#schema/definition.ts'
import type { Tab } from '#schema/facts/tab-facts.ts'
import { isAllowed, type Permissions } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { viewWords } from '#views/shared/words.ts'

/** The address of the tab under a record. */
export const historyTab = 'history'

/** History tab of a record, for viewers who may read the journal. */
export function historyOf(resource: AnyResource, definitions: Definitions, permissions: Permissions): Tab | undefined {
  const log = [...definitions.values()].find(({ journal }) => journal)
  if (!log?.journal || log === resource || !isAllowed(permissions, log.name, 'list')) return undefined
  const { kind, id, columns } = log.journal
  const match = { [kind]: baseOf(resource), [id]: '$record.id' }
  return { label: viewWords.history, resource: log.name, match, columns }
}
