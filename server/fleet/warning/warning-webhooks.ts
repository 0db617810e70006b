import { type RawBuilder, sql } from 'kysely'
import type { Severity } from '#resources/fleet/warnings/levels.ts'
import type { WebhookEventType } from '#resources/shared/webhook-events.ts'
import { say } from '#schema/words.ts'
import { addWebhookEvents, hasSubscriber, type WebhookEvent } from '#server/account/webhook/add-webhook-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { WarningRow } from './course/warning-row.ts'
import { staffTitle } from './notice-texts.ts'
import { severityRank } from './sample-rules.ts'

type SentWarning = {
  id: string
  code: string
  severity: Severity
  active: boolean
  acknowledged: boolean
  flapping: boolean
  occurrences: number
  subject: string | null
  value: number | null
  threshold: number | null
  unit: string | null
  startedAt: string
  raisedAt: string
  acknowledgedAt: string | null
  clearedAt: string | null
  essId: string | null
  ess: string | null
  controlPcbId: string | null
  board: string | null
}

const place = (id: string | null, code: string | null) => (id === null ? null : { id, code })

/** Payload of a warning: as in a mail to staff, without personal data. */
const factsOf = ({ code, essId, ess, controlPcbId, board, ...facts }: SentWarning) => ({
  ...facts,
  code,
  title: say(staffTitle(code), 'en'),
  ess: place(essId, ess),
  controlPcb: place(controlPcbId, board),
  page: `/telemetry-warning/${facts.id}`,
})

type WarningEvent = {
  type: WebhookEventType
  ids: readonly string[]
  now: Date
  /** Additional data of the event. */
  more?: Readonly<Record<string, unknown>>
  /** The former severity: webhooks subscribed to either severity get the event. */
  former?: Severity
}

const worse = (one: Severity, other: Severity = one) => (severityRank[one] > severityRank[other] ? one : other)

const sentWarnings = (db: Queryable, ids: readonly string[], condition: RawBuilder<unknown>): Promise<SentWarning[]> =>
  rowsOf(
    db,
    sql<SentWarning>`select "w"."id", "w"."code", "w"."severity", "w"."active", "w"."acknowledged", "w"."flapping", "w"."occurrences",
        "w"."subject", "w"."value"::float8 as "value", "w"."threshold"::float8 as "threshold", "w"."unit", "w"."startedAt", "w"."raisedAt",
        "w"."acknowledgedAt", "w"."clearedAt", "w"."essId", "e"."code" as "ess", "w"."controlPcbId", "b"."code" as "board"
      from "telemetry_warning" "w" left join "ess" "e" on "e"."id" = "w"."essId"
        left join "control_pcb" "b" on "b"."id" = "w"."controlPcbId"
      where "w"."id" = any(${sql.val(ids)}::text[]) and ${condition} order by "w"."id"`,
  )

/** Queues webhook events of warnings; none during maintenance. */
export async function addWarningWebhooks(db: Queryable, { type, ids, now, more, former }: WarningEvent): Promise<void> {
  if (ids.length === 0) return
  const warnings = await sentWarnings(db, ids, sql`not "w"."suppressed" and ${hasSubscriber(type)}`)
  const change = former === undefined ? {} : { formerSeverity: former }
  const events = warnings.map(
    (one): WebhookEvent => ({
      type,
      severity: worse(one.severity, former),
      data: { ...factsOf(one), ...change, ...more },
    }),
  )
  await addWebhookEvents(db, events, now)
}

/** A step in the course of a warning, and its row after that. */
export type Transition = { type: WebhookEventType; row: WarningRow; former?: Severity }

/** Queues webhook events of steps, each with the warning as it was then, in their order. */
export async function addTransitions(db: Queryable, steps: readonly Transition[], now: Date): Promise<void> {
  if (steps.length === 0) return
  const types = [...new Set(steps.map(({ type }) => type))]
  const ids = [...new Set(steps.map(({ row }) => row.id))]
  const isAsked = sql`(${sql.join(types.map(hasSubscriber), sql` or `)})`
  const sent = new Map((await sentWarnings(db, ids, isAsked)).map((one) => [one.id, one]))
  const events = steps.flatMap(({ type, row, former }): WebhookEvent[] => {
    const warning = sent.get(row.id)
    if (!warning) return []
    const { severity, active, acknowledged, flapping, occurrences, subject, value, threshold } = row
    const clearedAt = row.clearedAt?.toISOString() ?? null
    const then = { severity, active, acknowledged, flapping, occurrences, subject, value, threshold, clearedAt }
    const change = former === undefined ? {} : { formerSeverity: former }
    return [{ type, severity: worse(severity, former), data: { ...factsOf({ ...warning, ...then }), ...change } }]
  })
  await addWebhookEvents(db, events, now)
}
