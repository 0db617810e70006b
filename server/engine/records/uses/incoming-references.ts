import { sql } from 'kysely'
import { mayReadPath, rolesFor, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Use } from '#schema/wire/wire.ts'
import type { ProblemFacts } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import { type Catalog, familyOf, sourceFor } from '#server/engine/records/catalog.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { ruleFields, subsetSql, tableOf, valueSql } from '#server/engine/sql/field-sql.ts'
import { andRowAccess, rowAccessSql } from '#server/engine/sql/row-access-sql.ts'
import { columnsReferringTo, type ReferenceColumn, referencesRecord } from './reference-columns.ts'

const mostNamed = 5

type Referenced = { resource: AnyResource; id: string }
type Found = { count: number; records: Use['records'] }

const byTable = (references: readonly ReferenceColumn[]): Map<string, ReferenceColumn[]> => {
  const tables = new Map<string, ReferenceColumn[]>()
  for (const one of references) tables.set(one.table, [...(tables.get(one.table) ?? []), one])
  return tables
}

/** Condition: a row references the record. The record itself is left out. */
const anyReferences = (references: readonly ReferenceColumn[], { resource, id }: Referenced) =>
  sql<boolean>`(${sql.join(
    references.map((one) => referencesRecord(one, id)),
    sql` or `,
  )})${references[0]?.table === tableOf(resource) ? sql` and "id" <> ${id}` : sql``}`

/** Referencing records of one resource that the caller may see. */
async function seenOf(
  catalog: Catalog,
  { db, caller }: Work,
  member: AnyResource,
  condition: ReturnType<typeof anyReferences>,
) {
  const source = sourceFor(catalog, member, caller)
  const title = mayReadPath(member, caller.role, titleOf(member)) ? sql`${valueSql(source, titleOf(member))}::text` : sql`null`
  const where = sql`${condition} and ${subsetSql(source)}${andRowAccess(rowAccessSql(source, ruleFields))}`
  return await rowOf(
    db,
    sql<Found>`select count(*)::int as "count", coalesce((select json_agg("r".*) from
        (select "t"."id", coalesce(${title}, "t"."id") as "title" from ${sql.table(tableOf(member))} as "t"
        where ${where} order by "t"."id" limit ${mostNamed}) as "r"), '[]') as "records"
      from ${sql.table(tableOf(member))} as "t" where ${where}`,
  )
}

/** True for a part of other records, which nobody opens by itself. */
const isPart = (resource: AnyResource) => rolesFor(resource, 'show').length === 0

/** The definitions of a table, when all are parts. */
function partsIn({ definitions }: Catalog, table: string): readonly AnyResource[] {
  const all = [...definitions.values()].filter((one) => tableOf(one) === table)
  return all.every(isPart) ? all : []
}

/** Their number is no secret of who may delete the record; their contents are. */
const countOf = async (table: string, condition: ReturnType<typeof anyReferences>, { db }: Work) =>
  (await rowOf(db, sql<{ count: number }>`select count(*)::int as "count" from ${sql.table(table)} as "t" where ${condition}`))
    ?.count ?? 0

/** The definitions of a table as which the caller sees its rows: the whole, or else its parts. */
function membersOf(catalog: Catalog, table: string, { caller }: Work): readonly AnyResource[] {
  const any = [...catalog.definitions.values()].find((one) => tableOf(one) === table)
  const open = any ? familyOf(catalog, any).filter((one) => rolesFor(one, 'show').includes(caller.role)) : []
  const whole = open.filter((one) => !one.subset)
  return whole.length > 0 ? whole : open
}

/**
 * Records that reference one, by resource; undefined when there are none. Of records that no role can open the count alone is told;
 * others that the caller may not see are reported as existing, without count or title.
 */
export async function usesOf(
  catalog: Catalog,
  target: Referenced,
  work: Work,
): Promise<Pick<ProblemFacts, 'uses'> | undefined> {
  const uses: Use[] = []
  let isUsed = false
  for (const [table, references] of byTable(columnsReferringTo(catalog, target.resource))) {
    const condition = anyReferences(references, target)
    if (!(await rowOf(work.db, sql`select 1 from ${sql.table(table)} as "t" where ${condition} limit 1`))) continue
    isUsed = true
    const [part] = partsIn(catalog, table)
    if (part) uses.push({ resource: part.name, count: await countOf(table, condition, work), records: [] })
    for (const member of membersOf(catalog, table, work)) {
      const { count = 0, records = [] } = (await seenOf(catalog, work, member, condition)) ?? {}
      if (count > 0) uses.push({ resource: member.name, count, records })
    }
  }
  return isUsed ? { uses } : undefined
}
