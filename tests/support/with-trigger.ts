type Rows = { rows(statement: string): Promise<unknown> }
type Trigger = {
  table: string
  /** For example `before insert`. */
  at: string
  each?: 'row' | 'statement'
  /** Statements of PL/pgSQL. */
  act: string
}

/** Has the database act at every write of a table while a task runs. */
export async function withTrigger<T>(
  server: Rows,
  { table, at, each = 'row', act }: Trigger,
  task: () => Promise<T>,
): Promise<T> {
  await server.rows(`create function "actOfTest"() returns trigger language plpgsql as $$ begin ${act} return new; end $$`)
  await server.rows(`create trigger "ofTest" ${at} on "${table}" for each ${each} execute function "actOfTest"()`)
  try {
    return await task()
  } finally {
    await server.rows(`drop trigger "ofTest" on "${table}"`)
    await server.rows('drop function "actOfTest"')
  }
}

/** Refuses a row, as a damaged page would. */
export const damagedWhere = (condition: string): string =>
  `if ${condition} then raise exception 'this page is damaged'; end if;`

/** Gives a row up, as the statement timeout would. */
export const tooSlowWhere = (condition: string): string =>
  `if ${condition} then raise exception using errcode = 'query_canceled', message = 'this takes too long'; end if;`
