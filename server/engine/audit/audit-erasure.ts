import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** Replaces the trigger's function: only the functions of this file may delete or blank entries, each in its transaction. */
export const auditErasure = `
create or replace function "refuseChange"() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and current_setting('audit.allows', true) = 'removal' then return null; end if;
  if tg_op = 'UPDATE' and current_setting('audit.allows', true) = 'erasure' then return null; end if;
  raise exception using errcode = '42501', message = 'entries of "' || tg_table_name || '" are never changed or removed';
end $$;
`

/** Entries whose code is the address of a mail: the record may be gone before the person. */
const mails: readonly string[] = ['undelivered-message', 'outbox']

/** Shorter parts of a name are in too many other words. */
const shortestWord = 3

const allow = (db: Queryable, what: 'removal' | 'erasure' | '') =>
  sql`select set_config('audit.allows', ${what}, true)`.execute(db)

/**
 * A user, with first and last names and the names that others saw, former ones among them. `about`: ids of records about this user
 * alone, such as invitations and relations.
 */
export type Erased = {
  id: string
  email: string
  names: readonly string[]
  shownAs: readonly string[]
  about: readonly string[]
}

/** First and last names that a user had, by the log. */
export const formerNames = (db: Queryable, id: string) =>
  rowsOf(
    db,
    sql<{
      firstName: string | null
      lastName: string | null
    }>`select distinct "v"->>'firstName' as "firstName", "v"->>'lastName' as "lastName"
      from "auditLog", lateral (values ("before"), ("after")) as "values" ("v")
      where "entityId" = ${id} and jsonb_typeof("v") = 'object' and ("v" ? 'firstName' or "v" ? 'lastName')`,
  )

/** Takes a name out of the values of records in which it stood, such as comments. */
async function eraseName(db: Queryable, name: string, touched: readonly string[]): Promise<void> {
  const value = JSON.stringify(name)
  const without = (column: 'before' | 'after') => sql`replace(${sql.id(column)}::text, ${value}, 'null')::jsonb`
  await sql`update "auditLog" set "before" = ${without('before')}, "after" = ${without('after')}
    where "entityId" = any(${sql.val([...touched])}::text[])
      and strpos(concat("before"::text, "after"::text), ${value}) > 0`.execute(db)
}

/**
 * Blanks personal data in the log: e-mail, values, reason and network address of entries about a user, the network address
 * of own actions, filters of lists by which others looked for the user, and the names in the entries of `touched` records.
 * The fact, its time and the actor's id remain. Runs inside the caller's transaction.
 */
export async function eraseFromAudit(db: Queryable, person: Erased, touched: readonly string[]): Promise<void> {
  const { id, email } = person
  const former = await rowsOf(
    db,
    sql<{ code: string }>`select distinct "code" from "auditLog" where "entityId" = ${id} and "code" is not null`,
  )
  const names = [...new Set([email, ...former.map(({ code }) => code)])]
  await allow(db, 'erasure')
  // An e-mail without a record was typed at a sign-in; with a record it may belong to its present owner.
  await sql`update "auditLog" set "code" = null, "before" = null, "after" = null, "reason" = null,
      "ip" = case when "actorId" is null or "actorId" = ${id} then null else "ip" end
    where "entityId" = any(${[id, ...person.about]}) or ("code" = any(${names}) and ("entityId" is null or "entityType" = any(${mails})))`.execute(
    db,
  )
  await sql`update "auditLog" set "ip" = null where "actorId" = ${id} and "ip" is not null`.execute(db)
  for (const name of person.shownAs) await eraseName(db, name, touched)
  const words = [...names, ...person.names].filter((word) => word.length >= shortestWord)
  // Entries of earlier releases have "query", or a text of "name=value" parts as "filter".
  await sql`update "auditLog" set "after" = "after" - 'filters' - 'query' - 'filter' where "action" in ('list', 'export') and exists (
    select 1 from (select * from jsonb_each_text(case when jsonb_typeof("after"->'filters') = 'object' then "after"->'filters'
          when jsonb_typeof("after"->'query') = 'object' then "after"->'query' end)
        union all select split_part("part", '=', 1), regexp_replace("part", '^[^=]*=', '')
          from regexp_split_to_table("after"->>'filter', '; ') as "part") as "q" ("key", "value"),
      unnest(${sql.val(words)}::text[]) as "w" ("word")
    where "q"."key" ~ '^(q$|email|recipient|name|firstName|lastName)' and length("q"."value") >= ${sql.lit(shortestWord)}
      and (strpos(lower("w"."word"), lower("q"."value")) > 0 or strpos(lower("q"."value"), lower("w"."word")) > 0))`.execute(db)
  await allow(db, '')
}

/** Rows per statement: small batches keep locks short. */
export const auditBatch = 5_000

/** Deletes one batch of entries older than a time; returns their number. Runs inside the caller's transaction. */
export async function removeOldAudit(db: Queryable, before: Date): Promise<number> {
  await allow(db, 'removal')
  const gone = await rowsOf(
    db,
    sql`delete from "auditLog" where "id" in (select "id" from "auditLog" where "at" < ${before} order by "at" limit ${auditBatch})
      returning "id"`,
  )
  await allow(db, '')
  return gone.length
}
