import { sql } from 'kysely'
import type { Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { addServerAudits } from '#server/engine/audit/audit-entry.ts'
import { addNotices, announceWarnings } from '#server/fleet/warning/announce-warnings.ts'
import { addTransitions, type Transition } from '#server/fleet/warning/warning-webhooks.ts'
import type { Notice } from './body-notices.ts'
import type { WarningChanges } from './warning-changes.ts'
import type { gradeEntry } from './warning-grade.ts'
import { changedColumns, type NewRow, type WarningRow } from './warning-row.ts'

/** Rows, events and messages that the changes of one board's or system's warnings come to. */
export type Writing = {
  added: NewRow[]
  changed: WarningRow[]
  /** Changed rows with an event: a condition that lasts is no news. */
  announced: WarningRow[]
  /** Reopened during a maintenance of the system. */
  reopenedMuted: { id: string; essId: string | null }[]
  openings: { id: string; place: string; code: string; at: Date }[]
  notices: Notice[]
  transitions: Transition[]
  grades: ReturnType<typeof gradeEntry>[]
}

const firstColumns = [
  'id',
  'code',
  'source',
  'essId',
  'controlPcbId',
  'unit',
  'startedAt',
  'createdAt',
  'packageId',
  'snapshot',
  'comments',
]

const names = (columns: readonly string[], of?: string) =>
  sql.join(columns.map((column) => (of ? sql`${sql.id(of)}.${sql.id(column)}` : sql.id(column))))

const rowsIn = (rows: readonly object[]) =>
  sql`jsonb_populate_recordset(null::"telemetry_warning", ${JSON.stringify(rows)}::jsonb) "u"`

/** Answers the ids of rows that another server has been faster with. */
async function insertAdded(db: Queryable, added: Writing['added']): Promise<ReadonlySet<string>> {
  if (added.length === 0) return new Set()
  const columns = [...firstColumns, ...changedColumns]
  const inserted = await rowsOf(
    db,
    sql<{
      id: string
    }>`insert into "telemetry_warning" (${names(columns)}, "maintenance") select ${names(columns, 'u')}, "e"."maintenance"
      from ${rowsIn(added)} left join "ess" "e" on "e"."id" = "u"."essId" and "u"."suppressed" on conflict do nothing returning "id"`,
  )
  const ids = new Set(inserted.map(({ id }) => id))
  return new Set(added.flatMap(({ id }) => (ids.has(id) ? [] : [id])))
}

async function updateChanged(db: Queryable, changed: Writing['changed']): Promise<void> {
  if (changed.length === 0) return
  const settings = sql.join(changedColumns.map((column) => sql`${sql.id(column)} = "u".${sql.id(column)}`))
  await rowsOf(db, sql`update "telemetry_warning" "w" set ${settings} from ${rowsIn(changed)} where "w"."id" = "u"."id"`)
}

async function keepMaintenance(db: Queryable, muted: Writing['reopenedMuted']): Promise<void> {
  if (muted.length === 0) return
  await rowsOf(
    db,
    sql`update "telemetry_warning" "w" set "maintenance" = "e"."maintenance"
      from unnest(${sql.val(muted.map(({ id }) => id))}::text[], ${sql.val(muted.map(({ essId }) => essId))}::text[]) as "u" ("id", "essId")
        join "ess" "e" on "e"."id" = "u"."essId"
      where "w"."id" = "u"."id" and "e"."maintenance" is not null`,
  )
}

async function addOpenings(db: Queryable, openings: Writing['openings']): Promise<void> {
  if (openings.length === 0) return
  await rowsOf(
    db,
    sql`insert into "warningOpening" ("place", "code", "at") select * from unnest(${sql.val(openings.map(({ place }) => place))}::text[],
      ${sql.val(openings.map(({ code }) => code))}::text[], ${sql.val(openings.map(({ at }) => at.toISOString()))}::timestamptz[])`,
  )
}

/** Writes the changes of boards or systems, and tells of them: so many statements, whatever has changed. */
export async function writeChanges(db: Queryable, all: readonly WarningChanges[], now: Date): Promise<void> {
  const writings = all.map((one) => one.toWrite())
  const [added, changed] = [writings.flatMap((one) => one.added), writings.flatMap((one) => one.changed)]
  if (added.length + changed.length === 0) return
  // A place has one open warning: what is over makes room for what begins in the same body.
  await updateChanged(
    db,
    changed.filter(({ active }) => !active),
  )
  await updateChanged(
    db,
    changed.filter(({ active }) => active),
  )
  const refused = await insertAdded(db, added)
  const isWritten = ({ id }: { id: string }) => !refused.has(id)
  await keepMaintenance(
    db,
    writings.flatMap(({ reopenedMuted }) => reopenedMuted),
  )
  await addOpenings(
    db,
    writings.flatMap(({ openings }) => openings.filter(isWritten)),
  )
  const announce = (rows: readonly Writing['changed'][number][], type: Change['type']) => announceWarnings(db, rows, type, now)
  await announce(added.filter(isWritten), 'created')
  await announce(
    writings.flatMap(({ announced }) => announced),
    'updated',
  )
  await addServerAudits(
    db,
    writings.flatMap(({ grades }) => grades.filter(({ entityId }) => isWritten({ id: entityId }))),
  )
  await addTransitions(
    db,
    writings.flatMap(({ transitions }) => transitions),
    now,
  )
  await addNotices(
    db,
    writings.flatMap(({ notices }) => notices.filter(isWritten)),
    now,
  )
}
