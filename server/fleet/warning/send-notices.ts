import { sql } from 'kysely'
import { noticeKinds } from '#resources/fleet/notice-kinds.ts'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import { plainWords } from '#resources/fleet/warnings/plain-words.ts'
import { severities } from '#resources/shared/status-parts.ts'
import { minuteMs } from '#schema/format/durations.ts'
import { composed, filled, type Label, type Language, say } from '#schema/words.ts'
import { isReachable, mailLevel, type NoticeLevel, pushLevel } from '#server/account/recipients/recipients.ts'
import type { Mail } from '#server/base/mail.ts'
import type { Database } from '#server/db/connect.ts'
import { insertRows } from '#server/db/insert-rows.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { isRelated } from '#server/fleet/shared/ess-relations.ts'
import { notifyUser } from '#server/notify/notify-user.ts'
import { type Shown, staffBody, staffTitle } from './notice-texts.ts'
import { severityRank } from './sample-rules.ts'

type Notice = { warningId: string; severity: Severity; userId: string | null }
type NoticedWarning = Shown & { id: string; severity: Severity; essId: string | null; site: string | null }
/** A recipient with the chosen channels. */
type Person = {
  id: string
  role: string
  email: string
  firstName: string
  language: Language | null
  levels: Record<Way, NoticeLevel>
  delayMin: number
}
const ways = ['push', 'email'] as const
type Way = (typeof ways)[number]

/** Notices per transaction. */
const atOnce = 200
/** More notices than this are merged into one. */
const mostSingly = 3

const takeDue = (db: Queryable, now: Date): Promise<Notice[]> =>
  rowsOf(
    db,
    sql<Notice>`delete from "warningNotice" where "id" in (select "id" from "warningNotice" where "dueAt" <= ${now} order by "id"
      limit ${atOnce} for update skip locked) returning "warningId", "severity", "userId"`,
  )

/** The warnings that are still relevant. */
const warningsOf = (db: Queryable, ids: readonly string[], now: Date): Promise<NoticedWarning[]> =>
  rowsOf(
    db,
    sql<NoticedWarning>`select "w"."id", "w"."code", "w"."severity", "w"."essId", "w"."value", "w"."unit", "w"."subject", "e"."code" as "ess", "e"."name" as "site", "b"."code" as "board"
      from "telemetry_warning" "w" left join "ess" "e" on "e"."id" = "w"."essId" left join "control_pcb" "b" on "b"."id" = "w"."controlPcbId"
      where "w"."id" = any(${sql.val(ids)}::text[]) and "w"."active" and not "w"."acknowledged" and not "w"."suppressed"
        and ("w"."snoozedUntil" is null or "w"."snoozedUntil" <= ${now})`,
  )

/**
 * Recipients by site: users related to it, or to all sites. Defaults: critical at once, no mails; admins and moderators for every
 * site, others for their own.
 */
async function peopleOf(db: Queryable, sites: readonly (string | null)[]): Promise<ReadonlyMap<string | null, Person[]>> {
  const rows = await rowsOf(
    db,
    sql<
      Person & { siteId: string | null }
    >`select "x"."essId" as "siteId", "u"."id", "u"."role", "u"."email", "u"."firstName", "u"."language",
        json_build_object('push', ${pushLevel}, 'email', ${mailLevel}) as "levels",
        coalesce(("u"."notificationPrefs"->>'delayMin')::float8, 0) as "delayMin"
      from unnest(${sql.val([...new Set(sites)])}::text[]) as "x" ("essId") cross join "user" "u" where ${isReachable}
        and ("u"."role" in ('admin', 'moderator') and coalesce("u"."notificationPrefs"->>'sites', 'ALL') = 'ALL'
          or "u"."role" = 'service_engineer' and "u"."notificationPrefs"->>'sites' = 'ALL'
          or "u"."role" = any(${sql.val(noticeKinds.warning)}::text[]) and ${isRelated(sql`"x"."essId"`)}) order by "u"."id"`,
  )
  const people = new Map<string | null, Person[]>()
  for (const { siteId, ...person } of rows) people.set(siteId, [...(people.get(siteId) ?? []), person])
  return people
}

const isWanted = (level: NoticeLevel, severity: Severity) => level !== 'OFF' && severityRank[severity] >= severityRank[level]
const waysOf = ({ levels }: Person, severity: Severity) => ways.filter((way) => isWanted(levels[way], severity))

const isClient = ({ role }: Person) => role === 'client'

/** Boards and cell positions are for staff: clients read the affected system and its meaning. */
function bodyOf(warning: NoticedWarning, person: Person): Label {
  if (!isClient(person)) return staffBody(warning)
  const { code, site, ess } = warning
  const { meaning } = plainWords(code)
  return composed((language) => `${site ?? ess}: ${say(meaning, language)}`)
}

const titleOf = ({ code }: Pick<NoticedWarning, 'code'>, person: Person): Label =>
  isClient(person) ? plainWords(code).title : staffTitle(code)
// The client's console has no warnings page: the dashboard shows them with the systems.
const pageOf = (person: Person, warning?: NoticedWarning) =>
  isClient(person) ? '/' : `/telemetry-warning${warning ? `/${warning.id}` : ''}`
const together = ({ length: count }: readonly NoticedWarning[]): Label =>
  filled(
    [
      '{count, plural, one {# new warning} other {# new warnings}}',
      '{count, plural, one {# новое предупреждение} few {# новых предупреждения} other {# новых предупреждений}}',
    ],
    { count },
  )

const tell = (db: Queryable, warning: NoticedWarning, person: Person, now: Date) =>
  notifyUser(db, {
    userId: person.id,
    title: titleOf(warning, person),
    body: bodyOf(warning, person),
    tone: severities[warning.severity].tone,
    link: pageOf(person, warning),
    now,
  })

/** One mail for all of them, in the recipient's language. */
function mailOf(warnings: readonly NoticedWarning[], person: Person): Mail {
  const language = person.language ?? 'en'
  const lineOf = (warning: NoticedWarning) =>
    `${say(titleOf(warning, person), language)}: ${say(bodyOf(warning, person), language)}`
  const [first, ...others] = warnings
  const isOne = first !== undefined && others.length === 0
  return {
    to: person.email,
    language,
    template: 'warnings',
    values: {
      name: person.firstName,
      subject: isOne ? lineOf(first) : say(together(warnings), language),
      list: warnings.map(lineOf).join('\n'),
    },
    page: pageOf(person, isOne ? first : undefined),
  }
}

/** Most frequent first. */
function countsOf(warnings: readonly NoticedWarning[], person: Person): Label {
  const counts = new Map<string, number>()
  for (const { code } of warnings) counts.set(code, (counts.get(code) ?? 0) + 1)
  const parts = [...counts].toSorted(([, a], [, b]) => b - a)
  const text = (language: Language) =>
    parts.map(([code, count]) => `${say(titleOf({ code }, person), language)}: ${count}`).join(' · ')
  return composed(text)
}

const worstOf = (warnings: readonly NoticedWarning[]): Severity =>
  warnings.map(({ severity }) => severity).reduce((worst, each) => (severityRank[each] > severityRank[worst] ? each : worst))

const notifyTogether = (db: Queryable, warnings: readonly NoticedWarning[], person: Person, now: Date) =>
  notifyUser(db, {
    userId: person.id,
    title: together(warnings),
    body: countsOf(warnings, person),
    tone: severities[worstOf(warnings)].tone,
    link: pageOf(person),
    now,
  })

type Message = Record<Way, NoticedWarning[]> & { person: Person }

type Heard = { notice: Notice; warning: NoticedWarning; person: Person }

/** Every relevant notice with each of its recipients. */
async function heardOf(db: Queryable, due: readonly Notice[], now: Date): Promise<Heard[]> {
  const ids = due.map(({ warningId }) => warningId)
  const warnings = new Map((await warningsOf(db, ids, now)).map((warning) => [warning.id, warning]))
  if (warnings.size === 0) return []
  const people = await peopleOf(
    db,
    [...warnings.values()].map(({ essId }) => essId),
  )
  return due.flatMap((notice) => {
    const warning = warnings.get(notice.warningId)
    const recipients = (warning && people.get(warning.essId)) ?? []
    return recipients
      .filter((person) => waysOf(person, notice.severity).length > 0 && (notice.userId ?? person.id) === person.id)
      .flatMap((person) => (warning ? [{ notice, warning, person }] : []))
  })
}

const isLater = ({ notice, person }: Heard) => notice.userId === null && person.delayMin > 0

/** Notices of their own for recipients who want to be told later. */
async function putOff(db: Queryable, heard: readonly Heard[], now: Date): Promise<void> {
  const rows = heard.map(({ notice: { warningId, severity }, person: { id, delayMin } }) => ({
    warningId,
    severity,
    userId: id,
    dueAt: new Date(now.getTime() + delayMin * minuteMs).toISOString(),
  }))
  await insertRows(db, 'warningNotice', rows)
}

async function deliver(db: Queryable, due: readonly Notice[], now: Date): Promise<Mail[]> {
  const heard = await heardOf(db, due, now)
  await putOff(db, heard.filter(isLater), now)
  const tellings = new Map<string, Message>()
  for (const one of heard) {
    if (isLater(one)) continue
    const { person, notice, warning } = one
    const telling = tellings.get(person.id) ?? { person, push: [], email: [] }
    for (const way of waysOf(person, notice.severity)) telling[way].push(warning)
    tellings.set(person.id, telling)
  }
  for (const { person, push } of tellings.values()) {
    if (push.length > mostSingly) await notifyTogether(db, push, person, now)
    else for (const warning of push) await tell(db, warning, person, now)
  }
  return [...tellings.values()].flatMap(({ person, email }) => (email.length > 0 ? [mailOf(email, person)] : []))
}

type Sending = { now: Date; send: (mail: Mail, db: Queryable) => Promise<void> | void }

/**
 * Notifies users of new warnings by their settings: minimum severity, channel, sites and delay. `send` queues mails in the same
 * transaction: a notice is deleted only when its mail is stored.
 */
export async function sendNotices(database: Database, { now, send }: Sending): Promise<void> {
  for (let more = true; more; ) {
    const count = await inTransaction(database, async (db) => {
      const due = await takeDue(db, now)
      for (const mail of await deliver(db, due, now)) await send(mail, db)
      return due.length
    })
    more = count === atOnce
  }
}
