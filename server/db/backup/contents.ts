import pg, { type ClientBase } from 'pg'
import { BackupError, type Contents } from './manifest.ts'

/** Lists partitions instead of their partitioned table, which has no rows. */
const tablesSql = `select c.relname as "name" from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname = current_schema()
    and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
  order by 1`

/** First column of the answer, as texts. */
export async function columnOf(client: ClientBase, statement: string): Promise<string[]> {
  const { rows } = await client.query<[unknown]>({ text: statement, rowMode: 'array' })
  return rows.map(([value]) => String(value))
}

/** Ids of the migrations that the database has. */
export const appliedMigrations = (client: ClientBase) => columnOf(client, 'select "id" from "migration" order by 1')

/** Versions, migrations and row counts on one connection: within a snapshot transaction they are consistent. */
export async function readContents(client: ClientBase): Promise<Contents> {
  const names = await columnOf(client, tablesSql)
  if (!names.includes('migration')) throw new BackupError('This database holds no data of the console.')
  const tables: Record<string, number> = {}
  for (const name of names) {
    const [rows] = await columnOf(client, `select count(*) from ${pg.escapeIdentifier(name)}`)
    tables[name] = Number(rows)
  }
  const [postgres = ''] = await columnOf(client, 'show server_version')
  return { postgres, migrations: await appliedMigrations(client), tables }
}

/** True while the database contains no data of users. */
export async function isEmptyDatabase(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(tablesSql)
  return rows.length === 0
}
