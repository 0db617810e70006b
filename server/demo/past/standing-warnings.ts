import { sql } from 'kysely'
import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import { insertRows } from '#server/db/insert-rows.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Random } from '#server/demo/random.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import { type ServerFinding, serverRules } from '#server/fleet/warning/server-rules.ts'
import type { Crew } from './warnings.ts'

/** Hours for which a condition without a begin of its own has lasted, at the least and at the most. */
const lastsH: Partial<Record<string, readonly [number, number]>> = {
  FW_REVOKED: [20 * 24, 55 * 24],
  CONFIG_REJECTED: [5, 9 * 24],
  CONFIG_DRIFT: [3, 6 * 24],
  MAINTENANCE_ON: [0.2, 3],
}
const tellsAfterMs = 15.5 * minuteMs

function raisedMs(random: Random, code: string, { since }: ServerFinding, nowMs: number): number {
  if (since !== null) return Math.min(nowMs, Date.parse(since) + tellsAfterMs)
  const [least, most] = lastsH[code] ?? [0, 0]
  return nowMs - (least + (most - least) * random.next()) * hourMs
}

type Making = { random: Random; now: Date; crew: Crew }

function rowOf({ random, now, crew }: Making, code: string, finding: ServerFinding): Row {
  const nowMs = now.getTime()
  const atMs = raisedMs(random, code, finding, nowMs)
  const engineer = finding.essId ? crew.engineerOf.get(finding.essId) : undefined
  const isOld = nowMs - atMs > 2 * dayMs
  const isSeen = isOld && random.chance(0.7)
  const { controlPcbId, essId, severity, value, threshold, unit, subject, since } = finding
  return {
    id: random.id(new Date(atMs)),
    createdAt: new Date(atMs),
    updatedAt: new Date(isSeen ? atMs + hourMs : atMs),
    version: isSeen ? 2 : 1,
    code,
    severity,
    source: 'SERVER',
    controlPcbId,
    essId,
    trip: false,
    latched: false,
    value,
    threshold,
    unit,
    subject,
    startedAt: since ?? new Date(atMs),
    raisedAt: new Date(atMs),
    lastSeenAt: now,
    occurrences: 1,
    active: true,
    suppressed: false,
    flapping: false,
    comments: [],
    acknowledged: isSeen,
    ...(isSeen ? { acknowledgedAt: new Date(atMs + hourMs), acknowledgedBy: engineer ?? crew.office[0] } : {}),
    ...(isSeen && engineer && random.chance(0.5) ? { assigneeId: engineer } : {}),
  }
}

/** The server may have raised it in the seconds since the fleet was made: that one takes the time, and is no news any more. */
async function backdate(db: Queryable, { code, controlPcbId, essId, startedAt, raisedAt }: Row): Promise<boolean> {
  const known = await rowsOf(
    db,
    sql<{
      id: string
    }>`update "telemetry_warning" set "startedAt" = ${startedAt}, "raisedAt" = ${raisedAt}, "createdAt" = ${raisedAt}
      where "active" and "code" = ${code} and "controlPcbId" is not distinct from ${controlPcbId}::text
        and (${controlPcbId}::text is not null or "essId" = ${essId}) returning "id"`,
  )
  for (const { id } of known) await sql`delete from "warningNotice" where "warningId" = ${id}`.execute(db)
  return known.length > 0
}

/** Opens the warnings of long-standing conditions, dated back to their start. No notices are sent. */
export async function openStandingWarnings(db: Queryable, making: Making): Promise<void> {
  const fresh: Row[] = []
  for (const { code, holds } of serverRules) {
    const found = await rowsOf(db, holds(making.now))
    for (const finding of found.filter(({ held }) => !held)) {
      const row = rowOf(making, code, finding)
      if (!(await backdate(db, row))) fresh.push(row)
    }
  }
  await insertRows(db, 'telemetry_warning', fresh)
  const ids = (name: 'controlPcbId' | 'essId') => fresh.map((row) => (typeof row[name] === 'string' ? row[name] : null))
  await keepPlaces(db, { boards: ids('controlPcbId'), systems: ids('essId') })
}
