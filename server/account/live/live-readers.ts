import { type Definitions, isRelated, rolesFor } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import type { Caller } from '#server/base/caller.ts'
import type { Queryable } from '#server/db/query.ts'
import type { Catalog } from '#server/engine/records/catalog.ts'
import { readFullRecord } from '#server/engine/records/reader.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { inScope } from '#server/engine/records/row-access.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import type { StoredEvent } from './event-store.ts'
import { eventFrame } from './live-frame.ts'

/** An event with the data that decides who may read it. `record` is loaded only when some role sees a subset of the rows. */
export type ReadyEvent = StoredEvent & { bytes: Buffer; record: Row | undefined; recipients: ReadonlySet<string> | undefined }

/** Roles that see rows of each resource: as records, in its list, or in a tab of another record. */
function audience(definitions: Definitions): ReadonlyMap<string, ReadonlySet<Role>> {
  const readers = new Map<string, Set<Role>>()
  const add = (name: string, who: readonly Role[]) => {
    readers.set(name, new Set([...(readers.get(name) ?? []), ...who]))
  }
  for (const resource of definitions.values()) {
    add(resource.name, [...rolesFor(resource, 'show'), ...rolesFor(resource, 'list')])
    for (const tab of Object.values(resource.tabs ?? {}).filter(isRelated)) {
      const inTab = (role: Role) => rolesFor(resource, 'show').includes(role) && (tab.roles?.includes(role) ?? true)
      add(tab.resource, roles.filter(inTab))
    }
  }
  return readers
}

const keyOf = ({ resource, id }: Pick<StoredEvent['event'], 'resource' | 'id'>) => `${resource} ${id}`

/** Recipients by the rules of their resource, queried once for all its events. */
async function recipientsOf(
  { rules }: Catalog,
  db: Queryable,
  events: readonly StoredEvent[],
): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>()
  const changes = events.flatMap(({ event, userId }) => (userId === null ? [event] : []))
  for (const resource of new Set(changes.map((event) => event.resource))) {
    const ids = new Set(changes.flatMap((event) => (event.resource === resource ? [event.id] : [])))
    for (const { id, userId } of (await rules[resource]?.recipients?.(db, [...ids])) ?? []) {
      const key = keyOf({ resource, id })
      found.set(key, (found.get(key) ?? new Set()).add(userId))
    }
  }
  return found
}

export type LiveReaders = {
  /** Loads what the permission check of streams of these roles needs. */
  prepare(db: Queryable, events: readonly StoredEvent[], roles: ReadonlySet<Role>): Promise<ReadyEvent[]>
  mayRead(event: ReadyEvent, caller: Caller, now: Date): boolean
}

/** Permissions of events: roles and scopes of the definitions; a notification belongs to its user. */
export function createReaders(catalog: Catalog): LiveReaders {
  const { definitions } = catalog
  const readers = audience(definitions)
  const scopedFor = ({ event, userId }: StoredEvent, asking: ReadonlySet<Role>): AnyResource | undefined => {
    const resource = userId === null ? definitions.get(event.resource) : undefined
    return resource && [...asking].some((role) => resource.scope?.[role]) ? resource : undefined
  }
  /** Each record once: a busy board has many events. */
  async function recordsOf(db: Queryable, events: readonly StoredEvent[], asking: ReadonlySet<Role>) {
    const records = new Map<string, Row | undefined>()
    for (const stored of events) {
      const key = keyOf(stored.event)
      const resource = records.has(key) ? undefined : scopedFor(stored, asking)
      if (resource) records.set(key, await readFullRecord(db, catalog, { resource, id: stored.event.id, caller: undefined }))
    }
    return records
  }
  return {
    async prepare(db, events, asking) {
      const recipients = await recipientsOf(catalog, db, events)
      const records = await recordsOf(db, events, asking)
      return events.map((event) => {
        const key = keyOf(event.event)
        return { ...event, bytes: eventFrame(event), record: records.get(key), recipients: recipients.get(key) }
      })
    },
    mayRead({ event, userId, record, recipients }, caller, now) {
      if (userId !== null) return userId === caller.userId
      if (recipients?.has(caller.userId)) return true
      const resource = definitions.get(event.resource)
      if (!resource || !readers.get(event.resource)?.has(caller.role)) return false
      if (!resource.scope?.[caller.role]) return true
      // A deleted row can no longer show its owner.
      return !!record && inScope(resource, record, ruleContext(caller, now))
    },
  }
}
