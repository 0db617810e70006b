import { sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import { hourMs } from '#schema/format/durations.ts'
import type { Database } from '#server/db/connect.ts'
import { eachInTurn } from '#server/db/jobs/each-in-turn.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addNotices, announceWarnings, type ChangedWarning, type Place } from './announce-warnings.ts'
import type { Finding } from './evaluate.ts'
import { shownMeasure } from './sample-rules.ts'
import { type ServerFinding, type ServerRule, serverRules } from './server-rules.ts'
import { endMany, isMaintained, type PlacedFinding, raiseMany } from './warning-store.ts'
import { addWarningWebhooks } from './warning-webhooks.ts'

type Open = { controlPcbId: string | null; essId: string | null; severity: Severity; subject: string | null }

const keyOf = ({ controlPcbId, essId }: Pick<Open, 'controlPcbId' | 'essId'>) => controlPcbId ?? `ess ${essId}`

const findingOf = ({ code }: ServerRule, found: Omit<ServerFinding, keyof Place>, now: Date): Finding => ({
  code,
  source: 'SERVER',
  severity: found.severity,
  value: found.value === null ? null : shownMeasure(found.value),
  threshold: found.threshold,
  unit: found.unit ?? '',
  subject: found.subject,
  trip: false,
  latched: false,
  sinceMs: found.since ? Date.parse(found.since) : now.getTime(),
})

const openOf = (db: Queryable, code: string): Promise<Open[]> =>
  rowsOf(
    db,
    sql<Open>`select "controlPcbId", "essId", "severity", "subject" from "telemetry_warning" where "code" = ${code} and "active"`,
  )

/** An open warning keeps its subject when the finding has none. */
const isAsFound = (open: Open, { severity, subject }: ServerFinding) =>
  open.severity === severity && (subject === null || open.subject === subject)

type Steps = { raised: readonly PlacedFinding[]; ended: readonly Place[] }

/** Required changes of a rule by place; empty when nothing changed. */
async function stepsOf(db: Queryable, rule: ServerRule, now: Date): Promise<Steps> {
  const found = new Map((await rowsOf(db, rule.holds(now))).map((one) => [keyOf(one), one]))
  const open = new Map((await openOf(db, rule.code)).map((one) => [keyOf(one), one]))
  const raised = [...found].filter(([key, one]) => {
    const known = open.get(key)
    return !one.held && !(known && isAsFound(known, one))
  })
  return {
    raised: raised.map(([, { controlPcbId, essId, ...one }]) => ({ controlPcbId, essId, finding: findingOf(rule, one, now) })),
    ended: [...open].flatMap(([key, one]) => (found.has(key) ? [] : [one])),
  }
}

/** Places per transaction: few enough for short locks. */
const atOnce = 500
const chunksOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / atOnce) }, (_, index) => all.slice(index * atOnce, (index + 1) * atOnce))

type Unmuted = ChangedWarning & { severity: Severity; acknowledged: boolean }

/** Warnings that outlive their maintenance are unmuted and notified like new ones. */
async function endSuppression(db: Queryable, now: Date): Promise<void> {
  const ended = await rowsOf(
    db,
    sql<Unmuted>`update "telemetry_warning" "w" set "suppressed" = false, "waitsSince" = ${now}, "version" = "version" + 1, "updatedAt" = ${now}
      where "active" and "suppressed" and not ${isMaintained(sql`"w"."essId"`, now)}
      returning "id", "version", "controlPcbId", "essId", "severity", "acknowledged"`,
  )
  await announceWarnings(db, ended, 'updated', now)
  await addWarningWebhooks(db, { type: 'warning.raised', ids: ended.map(({ id }) => id), now })
  const news = ended.filter(({ acknowledged }) => !acknowledged)
  await addNotices(db, news, now)
}

const forgetOpenings = ({ kysely }: Database, now: Date) =>
  sql`delete from "warningOpening" where "at" < ${new Date(now.getTime() - hourMs)}`.execute(kysely)

type Watching = { rules?: readonly ServerRule[]; signal?: AbortSignal | undefined }
type Step = { name: string; run: () => Promise<unknown> }

/** A step that fails each time keeps none of the others from running. */
const inTurn = (steps: readonly Step[], signal: AbortSignal | undefined): Promise<void> =>
  eachInTurn(
    steps,
    ({ name }) => name,
    async ({ run }) => {
      if (!signal?.aborted) await run()
    },
  )

function stepsFor(database: Database, now: Date, { rules = serverRules, signal }: Watching): Step[] {
  const watch = async (rule: ServerRule) => {
    const { raised, ended } = await stepsOf(database.kysely, rule, now)
    const changes = [
      ...chunksOf(raised).map((some) => (db: Queryable) => raiseMany(db, rule.code, some, now)),
      ...chunksOf(ended).map((some) => (db: Queryable) => endMany(db, rule.code, some, now)),
    ]
    for (const change of changes) {
      if (signal?.aborted) return
      await inTransaction(database, change)
    }
  }
  return rules.map((rule) => ({ name: `rule ${rule.code}`, run: () => watch(rule) }))
}

/** Opens and ends the warnings of some rules in short transactions, so that ingest is not blocked. */
export const watchRules = (database: Database, now: Date, watching: Watching): Promise<void> =>
  inTurn(stepsFor(database, now, watching), watching.signal)

/** The same, and ends what maintenance has muted. */
export function watchServerRules(database: Database, now: Date, watching: Watching = {}): Promise<void> {
  const others = [
    { name: 'end of maintenance', run: () => inTransaction(database, (db) => endSuppression(db, now)) },
    { name: 'former openings', run: () => forgetOpenings(database, now) },
  ]
  return inTurn([...stepsFor(database, now, watching), ...others], watching.signal)
}
