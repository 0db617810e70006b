import { sql } from 'kysely'
import { isWarningCode, warningCodes } from '#schema/warnings/warning-codes.ts'
import { type Label, type Language, say } from '#schema/words.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { notifyUser } from '#server/push/notify-user.ts'
import { severityRank } from './rules.ts'
import type { Severity } from './standard-levels.ts'

type Notice = { warningId: string; severity: Severity; userId: string | null }
type Told = {
  id: string
  code: string
  severity: Severity
  essId: string | null
  value: number | null
  unit: string | null
  subject: string | null
  ess: string | null
  board: string | null
}
type Person = { id: string; role: string; level: Severity | 'OFF'; delayMin: number }

/** Notices of one transaction. */
const atOnce = 200
/** More than so many at a time are told in one: nobody reads a screen full of them. */
const mostSingly = 3

const takeDue = (db: Queryable, now: Date): Promise<Notice[]> =>
  rowsOf(
    db,
    sql<Notice>`delete from "warningNotice" where "id" in (select "id" from "warningNotice" where "dueAt" <= ${now} order by "id"
      limit ${atOnce} for update skip locked) returning "warningId", "severity", "userId"`,
  )

/** The warning, while it is worth anybody's attention. */
const warningOf = (db: Queryable, id: string): Promise<Told | undefined> =>
  rowOf(
    db,
    sql<Told>`select "w"."id", "w"."code", "w"."severity", "w"."essId", "w"."value", "w"."unit", "w"."subject", "e"."code" as "ess", "b"."code" as "board"
      from "telemetry_warning" "w" left join "ess" "e" on "e"."id" = "w"."essId" left join "control_pcb" "b" on "b"."id" = "w"."controlPcbId"
      where "w"."id" = ${id} and "w"."active" and not "w"."acknowledged" and not "w"."suppressed"`,
  )

const related = (
  essId: string | null,
) => sql`(exists (select 1 from "ess" "e" where "e"."id" = ${essId} and "e"."ownerId" = "u"."id")
  or exists (select 1 from "guest" "r" where "r"."essId" = ${essId} and "r"."userId" = "u"."id" and "r"."state" = 'ACTIVE' and ("r"."expiresAt" is null or "r"."expiresAt" > now()))
  or exists (select 1 from "service_engineer" "r" where "r"."essId" = ${essId} and "r"."userId" = "u"."id" and "r"."state" = 'ACTIVE' and ("r"."expiresAt" is null or "r"."expiresAt" > now())))`

/**
 * Whoever has to do with the site, or with all of them. Where nothing was chosen: critical ones, at once; admins and moderators of
 * every site, the others of their own.
 */
const peopleOf = (db: Queryable, { essId }: Told): Promise<Person[]> =>
  rowsOf(
    db,
    sql<Person>`select "u"."id", "u"."role", coalesce("u"."notificationPrefs"->>'push', 'CRITICAL') as "level",
        coalesce(("u"."notificationPrefs"->>'delayMin')::float8, 0) as "delayMin"
      from "user" "u" where "u"."lockedAt" is null and "u"."deletedAt" is null
        and ("u"."role" in ('admin', 'moderator') and coalesce("u"."notificationPrefs"->>'sites', 'ALL') = 'ALL'
          or "u"."role" = 'service_engineer' and "u"."notificationPrefs"->>'sites' = 'ALL'
          or "u"."role" in ('admin', 'moderator', 'service_engineer', 'client') and ${related(essId)})`,
  )

const isWanted = ({ level }: Person, severity: Severity) => level !== 'OFF' && severityRank[severity] >= severityRank[level]

function bodyOf({ ess, board, value, unit, subject }: Told): Label {
  const measured = value === null ? '' : ` · ${Number(value.toFixed(2))} ${unit ?? ''}`.trimEnd()
  const text = `${[ess, board, subject].filter(Boolean).join(' · ')}${measured}`
  return [text, text]
}

async function tell(db: Queryable, warning: Told, { id: userId, role }: Person, now: Date): Promise<void> {
  const title: Label = isWarningCode(warning.code) ? warningCodes[warning.code] : [warning.code, warning.code]
  // A client's console has no page of warnings: his first page tells of his systems.
  const link = role === 'client' ? '/' : `/telemetry-warning/${warning.id}`
  await notifyUser(db, { userId, title, body: bodyOf(warning), link, now })
}

/** What there is most of comes first. */
function countsOf(warnings: readonly Told[]): Label {
  const counts = new Map<string, number>()
  for (const { code } of warnings) counts.set(code, (counts.get(code) ?? 0) + 1)
  const parts = [...counts].toSorted(([, a], [, b]) => b - a)
  const text = (language: Language) =>
    parts.map(([code, count]) => `${isWarningCode(code) ? say(warningCodes[code], language) : code}: ${count}`).join(' · ')
  return [text('en'), text('ru')]
}

async function tellTogether(db: Queryable, warnings: readonly Told[], { id: userId, role }: Person, now: Date): Promise<void> {
  const title: Label = [`New warnings: ${warnings.length}`, `Новых предупреждений: ${warnings.length}`]
  const link = role === 'client' ? '/' : '/telemetry-warning'
  await notifyUser(db, { userId, title, body: countsOf(warnings), link, now })
}

type Telling = { person: Person; warnings: Told[] }

/** Whom to tell now of a warning; who wants to hear of it later gets a notice of his own. */
async function listenersOf(
  db: Queryable,
  { warningId, severity, userId }: Notice,
  warning: Told,
  now: Date,
): Promise<Person[]> {
  const people = (await peopleOf(db, warning)).filter((person) => isWanted(person, severity))
  if (userId !== null) return people.filter(({ id }) => id === userId)
  for (const { id, delayMin } of people.filter((person) => person.delayMin > 0))
    await sql`insert into "warningNotice" ("warningId", "severity", "userId", "dueAt")
      values (${warningId}, ${severity}, ${id}, ${new Date(now.getTime() + delayMin * 60_000)})`.execute(db)
  return people.filter(({ delayMin }) => delayMin <= 0)
}

async function deliver(db: Queryable, due: readonly Notice[], now: Date): Promise<void> {
  const tellings = new Map<string, Telling>()
  for (const notice of due) {
    const warning = await warningOf(db, notice.warningId)
    if (!warning) continue
    for (const person of await listenersOf(db, notice, warning, now)) {
      const known = tellings.get(person.id)
      if (known) known.warnings.push(warning)
      else tellings.set(person.id, { person, warnings: [warning] })
    }
  }
  for (const { person, warnings } of tellings.values()) {
    if (warnings.length > mostSingly) await tellTogether(db, warnings, person, now)
    else for (const warning of warnings) await tell(db, warning, person, now)
  }
}

/** Tells people of new warnings as they have asked for it: from which severity on, of which sites, and how long after. */
export async function sendNotices(database: Database, now: Date): Promise<void> {
  for (let more = true; more; ) {
    more = await inTransaction(database, async (db) => {
      const due = await takeDue(db, now)
      await deliver(db, due, now)
      return due.length === atOnce
    })
  }
}
