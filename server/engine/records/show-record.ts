import type { AnyResource } from '#schema/resource.ts'
import type { Caller } from '#server/base/caller.ts'
import { problem } from '#server/base/problems.ts'
import { familyOf } from './catalog.ts'
import { presentRecord } from './presenter.ts'
import { readFullRecord } from './reader.ts'
import type { Row } from './resource-rules.ts'
import { requireAccess, usedAs } from './row-access.ts'
import { type Engine, ruleContext } from './work.ts'

const plausibleId = /^[\w-]{1,64}$/

/** Validates the form of an id before it reaches the database. Throws 404. */
export function plausible(id: string): string {
  if (!plausibleId.test(id)) throw problem('not-found')
  return id
}

type Shown = { resource: AnyResource; resources?: readonly AnyResource[]; id: string; caller: Caller }

/**
 * A whole record that the caller may read, with the permitting definitions. Throws 404, or 403 for a role without any access.
 */
export async function readVisible(
  { catalog, context }: Engine,
  { resource, resources, id, caller }: Shown,
): Promise<{ record: Row; used: readonly AnyResource[] }> {
  const record = await readFullRecord(context.database.kysely, catalog, { resource, id: plausible(id), caller })
  if (!record) throw problem('not-found')
  const family = resources ?? familyOf(catalog, resource)
  const access = requireAccess(catalog, {
    resources: family,
    verb: 'show',
    record,
    context: ruleContext(caller, context.clock()),
  })
  return { record, used: usedAs(access) }
}

/** A record as the caller may see it. */
export async function showRecord(engine: Engine, shown: Shown): Promise<Row> {
  const { record, used } = await readVisible(engine, shown)
  return presentRecord(engine.catalog, record, used, shown.caller)
}
