import { sql } from 'kysely'
import type { Fault } from '#schema/faults.ts'
import { type Fields, holdsFiles } from '#schema/field-types.ts'
import type { StoredFile } from '#schema/files.ts'
import { isObject } from '#schema/is-object.ts'
import type { AnyResource } from '#schema/resource.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]

const isFile = (value: unknown): value is StoredFile => isObject(value) && typeof value.id === 'string'

/** Files in a record's value or in a request. */
export const filesIn = (value: unknown): StoredFile[] => listOf(value).filter(isFile)

/** Marks the caller's uploads for a field as claimed: the clean-up skips them while the mark is fresh. */
const claim = (resource: AnyResource, field: string, ids: readonly string[], { db, caller, now }: Work) =>
  rowsOf(
    db,
    sql<StoredFile>`update "storedFile" set "usedAt" = ${now}
      where "id" in (${sql.join(ids)}) and "owner" = ${tableOf(resource)} and "field" = ${field} and "uploadedBy" = ${caller.userId}
      returning "id", "name", "type", "sizeBytes", "sha256"`,
  )

type Asked = { fields: Fields; values: Row; current: Row }

/**
 * Replaces files named in a request by their stored data. A record accepts its own files and those that the caller has uploaded
 * for this field; any other id is a fault, so that a file cannot be accessed by its id.
 */
export async function claimFiles(
  resource: AnyResource | undefined,
  { fields, values, current }: Asked,
  work: Work,
): Promise<{ values: Row; faults: Fault[] }> {
  const claimed: Row = {}
  const faults: Fault[] = []
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (!resource || !field || !holdsFiles(field)) continue
    const ids = filesIn(value).map(({ id }) => id)
    const own = filesIn(current[name])
    const added = ids.filter((id) => !own.some((file) => file.id === id))
    const uploads = added.length > 0 ? await claim(resource, name, added, work) : []
    const known = new Map([...own, ...uploads].map((file) => [file.id, file]))
    const found = ids.flatMap((id) => known.get(id) ?? [])
    if (found.length < ids.length) faults.push({ path: name, code: 'no-such-file' })
    claimed[name] = field.type === 'files' ? (found.length > 0 ? found : null) : (found[0] ?? null)
  }
  return { values: { ...values, ...claimed }, faults }
}
