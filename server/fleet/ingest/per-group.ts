import type { Queryable } from '#server/db/query.ts'

/** Set-based look-up: the first member of a group to ask loads the data of all members in one statement. */
export function perGroup<Group extends object, Value>(
  load: (db: Queryable, group: Group) => Promise<ReadonlyMap<string, Value>>,
): (db: Queryable, group: Group) => Promise<ReadonlyMap<string, Value>> {
  const loaded = new WeakMap<Group, Promise<ReadonlyMap<string, Value>>>()
  return (db, group) => {
    const found = loaded.get(group) ?? load(db, group)
    loaded.set(group, found)
    return found
  }
}
