import type { ClientBase } from 'pg'

type Column = { name: string; type: string }

export type Table = {
  name: string
  columns: readonly Column[]
  /** Partitioned table that it is a part of, and the rows that belong into it. */
  parent: string | null
  bound: string | null
  options: string | null
  /** Tables that its foreign keys point to. */
  needs: readonly string[]
}

// Partitions instead of their partitioned table, which has no rows. Left out are columns that the database fills by itself: generated
// ones, and ids of transactions, which count in one cluster only.
const tablesSql = `
select c.relname as "name", p.relname as "parent", pg_get_expr(c.relpartbound, c.oid) as "bound",
  array_to_string(c.reloptions, ', ') as "options",
  (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
    from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid <> 'xid8'::regtype) as "columns",
  (select coalesce(json_agg(r.relname), '[]') from pg_constraint f join pg_class r on r.oid = f.confrelid
    where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as "needs"
from pg_class c
  left join pg_inherits i on i.inhrelid = c.oid and c.relispartition
  left join pg_class p on p.oid = i.inhparent
where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
  and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
order by 1`

/** The tables of the current schema with rows of their own. */
export async function readTables(client: ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(tablesSql)
  return rows
}

/** Tables after those that their foreign keys point to. */
export function byForeignKeys(tables: readonly Table[]): Table[] {
  const ordered: Table[] = []
  let waiting = [...tables]
  while (waiting.length > 0) {
    const names = new Set(waiting.map(({ name }) => name))
    const ready = waiting.filter(({ needs }) => !needs.some((name) => names.has(name)))
    if (ready.length === 0) throw new Error(`The foreign keys of ${[...names].join(', ')} form a circle`)
    ordered.push(...ready)
    waiting = waiting.filter((table) => !ready.includes(table))
  }
  return ordered
}
