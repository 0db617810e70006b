import { type RawBuilder, sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import { hourMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { type Queryable, rowOf, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import type { Finding } from './evaluate.ts'
import { type ServerFinding, type ServerRule, serverRules } from './server-rules.ts'
import { announceWarning, clearWarnings, notice, type Place, raiseWarning } from './warning-store.ts'

type Open = { controlPcbId: string | null; essId: string | null; severity: Severity }

const keyOf = ({ controlPcbId, essId }: Pick<Open, 'controlPcbId' | 'essId'>) => controlPcbId ?? `ess ${essId}`

const findingOf = ({ code }: ServerRule, found: ServerFinding, now: Date): Finding => ({
  code,
  source: 'SERVER',
  severity: found.severity,
  value: found.value,
  threshold: found.threshold,
  unit: found.unit ?? '',
  subject: found.subject,
  trip: false,
  latched: false,
  sinceMs: found.since ? Date.parse(found.since) : now.getTime(),
})

const openOf = (db: Queryable, code: string): Promise<Open[]> =>
  rowsOf(db, sql<Open>`select "controlPcbId", "essId", "severity" from "telemetry_warning" where "code" = ${code} and "active"`)

/** Asked in the transaction that acts on it: people may have come to a site since the look at all rules began. */
const isMaintained = (essId: RawBuilder<unknown>, now: Date) =>
  sql<boolean>`exists (select 1 from "ess" "e" where "e"."id" = ${essId} and ("e"."maintenance"->>'until')::timestamptz > ${now})`

type Step = { rule: ServerRule; found: ServerFinding | undefined; open: Open | undefined }

/** Required changes of a rule by location; empty when nothing changed. */
async function stepsOf(db: Queryable, rule: ServerRule, now: Date): Promise<Step[]> {
  const found = new Map((await rowsOf(db, rule.holds(now))).map((one) => [keyOf(one), one]))
  const open = new Map((await openOf(db, rule.code)).map((one) => [keyOf(one), one]))
  const raised = [...found].flatMap(([key, one]): Step[] => {
    const known = open.get(key)
    if (one.held || known?.severity === one.severity) return []
    return [{ rule, found: one, open: known }]
  })
  const ended = [...open].flatMap(([key, one]): Step[] => (found.has(key) ? [] : [{ rule, found: undefined, open: one }]))
  return [...raised, ...ended]
}

async function take(db: Queryable, { rule, found, open }: Step, now: Date): Promise<void> {
  if (found) {
    const muted = await rowOf(db, sql`select 1 where ${isMaintained(sql`${found.essId}`, now)}`)
    const suppressed = rule.code !== 'MAINTENANCE_ON' && muted !== undefined
    await raiseWarning(
      db,
      found,
      findingOf(rule, found, now),
      { packageId: null, snapshot: null, suppressed },
      { at: now, now },
    )
  } else if (open) await clearWarnings(db, open, [{ code: rule.code }], { at: now, now })
}

type Unmuted = Place & { id: string; version: number; severity: Severity; acknowledged: boolean }

/** Warnings that outlive their maintenance count from now on and notify like new ones. */
async function endSuppression(db: Queryable, now: Date): Promise<void> {
  const ended = await rowsOf(
    db,
    sql<Unmuted>`update "telemetry_warning" "w" set "suppressed" = false, "version" = "version" + 1, "updatedAt" = ${now}
      where "active" and "suppressed" and not ${isMaintained(sql`"w"."essId"`, now)}
      returning "id", "version", "controlPcbId", "essId", "severity", "acknowledged"`,
  )
  for (const { id, version, severity, acknowledged, ...place } of ended) {
    await announceWarning(db, { id, version, place, type: 'updated' }, now)
    if (!acknowledged) await notice(db, id, severity, now)
  }
}

/** Opens and ends the server's own warnings in short transactions, so that ingest continues in between. */
export async function watchServerRules(
  database: Database,
  now: Date,
  { rules = serverRules, signal }: { rules?: readonly ServerRule[]; signal?: AbortSignal } = {},
): Promise<void> {
  for (const rule of rules) {
    for (const step of signal?.aborted ? [] : await stepsOf(database.kysely, rule, now)) {
      if (signal?.aborted) return
      await inTransaction(database, (db) => take(db, step, now))
    }
  }
  await inTransaction(database, (db) => endSuppression(db, now))
  await sql`delete from "warningOpening" where "at" < ${new Date(now.getTime() - hourMs)}`.execute(database.kysely)
}
