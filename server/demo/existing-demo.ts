import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { type DemoPeople, demoAccounts } from './people.ts'
import { demoProblem } from './problems.ts'

/** Existing records that a new fleet reuses: account ids and firmware versions. */
export type KnownRecords = { users: ReadonlySet<string>; versions: ReadonlySet<string> }

/** Reuses existing accounts with the same e-mail in place of the fleet's own. */
export async function reuseKnown(db: Queryable, { users }: DemoPeople): Promise<KnownRecords> {
  const emails = users.map(({ email }) => String(email))
  const there = await rowsOf(
    db,
    sql<{ id: string; email: string }>`select "id", "email" from "user" where "email" = any(${sql.val(emails)}::text[])`,
  )
  const idOf = new Map(there.map(({ id, email }) => [email, id]))
  for (const user of users) {
    const id = idOf.get(String(user.email))
    if (id) user.id = id
  }
  const versions = await rowsOf(db, sql<{ version: string }>`select "firmwareVersion" as "version" from "firmware"`)
  return { users: new Set(idOf.values()), versions: new Set(versions.map(({ version }) => version)) }
}

/** Throws 409 when codes of the fleet belong to records outside of the demo. */
export async function refuseTakenCodes(db: Queryable, made: readonly Row[]): Promise<void> {
  const codes = sql.val(made.map(({ code }) => String(code)))
  const [taken] = await rowsOf(
    db,
    sql<{ code: string }>`select "code" from "ess" where "code" = any(${codes}::text[])
      union all select "code" from "control_pcb" where "code" = any(${codes}::text[]) limit 1`,
  )
  if (taken) throw demoProblem('demo.code-taken', { values: { code: taken.code } })
}

/** Tags the demo's records, except the named accounts: their sessions outlive a removed fleet. */
export async function tagDemo(
  db: Queryable,
  made: {
    users: readonly Row[]
    known: KnownRecords
    sites: readonly Row[]
    boards: readonly Row[]
    firmware: readonly Row[]
    models: readonly Row[]
  },
): Promise<void> {
  const named = new Set(demoAccounts.map(({ email }) => email))
  const people = made.users.filter(({ id, email }) => !made.known.users.has(String(id)) && !named.has(String(email)))
  const tagged = { user: people, ess: made.sites, control_pcb: made.boards, firmware: made.firmware, ess_model: made.models }
  for (const [table, rows] of Object.entries(tagged)) {
    const ids = sql.val(rows.map(({ id }) => String(id)))
    await sql`insert into "demoRecord" ("table", "id") select ${table}::text, unnest(${ids}::text[])`.execute(db)
  }
}
