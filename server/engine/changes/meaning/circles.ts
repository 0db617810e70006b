import type { Definitions } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { isTree } from '#server/engine/records/references/reference-cycles.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

/** True for a tree that was none before: its records may form a circle. `before`: undefined for a field that is filled first. */
export function isNewTree(before: Field | undefined, now: Field, resource: AnyResource, definitions: Definitions): boolean {
  const table = tableOf(resource)
  return isTree(now, table, definitions) && !isTree(before, table, definitions) && (!!before || now.backfill !== undefined)
}

/** Records that are their own ancestors, by the parent of each record. */
export function inCircles(parents: ReadonlyMap<string, string>): string[] {
  const done = new Set<string>()
  const found: string[] = []
  for (const start of parents.keys()) {
    const path = new Map<string, number>()
    let at: string | undefined = start
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.set(at, path.size)
      at = parents.get(at)
    }
    const first = at === undefined ? undefined : path.get(at)
    if (first !== undefined) found.push(...[...path.keys()].slice(first))
    for (const id of path.keys()) done.add(id)
  }
  return found
}
