import { sql } from 'kysely'
import { windowFields } from '#resources/shared/week-window.ts'
import { dayMs } from '#schema/format/durations.ts'
import { composed, type Label, say } from '#schema/words.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import type { ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { windowFaults } from '#server/fleet/configuration/window-faults.ts'
import { canceledTo, deadlineOf } from '#server/fleet/firmware/update-state-machine.ts'
import { isAssignedSql } from '#server/fleet/shared/assignment-sql.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { requireAssignment } from '#server/fleet/shared/relations.ts'
import { boardChoices } from './board-choices.ts'
import { preCheckRoute } from './pre-check-route.ts'
import { type Candidate, candidateOf, isInstalled, preChecksFor, updateKindOf } from './pre-checks.ts'
import { lockRequests, lockUpdates, type Update } from './update-rows.ts'
import { moveUpdate, noted, queueUpdate } from './update-store.ts'
import { waitingSql } from './update-waiting.ts'
import { waitsForWindow } from './update-window.ts'

const longestAheadMs = 90 * dayMs

const joined = (texts: readonly Label[]): Label => composed((language) => texts.map((text) => say(text, language)).join('; '))

type Wanted = { controlPcbId: string; firmwareId: string; overrideReason?: unknown }
type Passed = { candidate: Candidate; overrideReason: unknown }

/** Checks a request and returns its board and firmware; the reason is kept only if it overrides a check. */
async function mustPass({ controlPcbId, firmwareId, overrideReason }: Wanted, work: Work): Promise<Passed> {
  await lockRequests(work.db, { controlPcbId, firmwareId })
  const candidate = await candidateOf(work.db, controlPcbId, firmwareId)
  if (!candidate) throw problem('not-found')
  await requireAssignment(work, candidate.essId)
  const { code, firmwareVersion } = candidate
  if (isInstalled(candidate)) throw fleetProblem('update.installed', { values: { code, firmwareVersion } })
  const failed = (await preChecksFor(work.db, candidate, work.caller)).filter(({ ok }) => !ok)
  if (failed.length === 0) return { candidate, overrideReason: null }
  if (overrideReason && failed.every(({ overridable }) => overridable)) return { candidate, overrideReason }
  // Checks are worded as what must be; a refusal says what is.
  const found = failed.map(({ text, obstacle = text, found }) =>
    composed((language) => `${say(obstacle, language)} (${say(found, language)})`),
  )
  throw fleetProblem('update.pre-checks', { values: { code, failed: joined(found) } })
}

function scheduledTime(value: unknown, { now }: Work): Date | null {
  if (typeof value !== 'string') return null
  const at = new Date(value)
  if (at > now && at.getTime() - now.getTime() <= longestAheadMs) return at
  throw fleetProblem('update.time')
}

function mustOpen(window: unknown): void {
  const faults = windowFaults(window)
  if (faults.length > 0)
    throw invalid(
      faults.map(([part, text]) => ({ path: `window.${part}`, code: 'rule', label: windowFields[part].label, text })),
    )
}

async function prepare(values: Row, work: Work): Promise<Row> {
  const [controlPcbId, firmwareId] = [String(values.controlPcbId), String(values.firmwareId)]
  const { candidate, overrideReason } = await mustPass({ ...values, controlPcbId, firmwareId }, work)
  const scheduledAt = scheduledTime(values.scheduledAt, work)
  mustOpen(values.window)
  const status = scheduledAt ? 'SCHEDULED' : 'QUEUED'
  return {
    ...values,
    overrideReason,
    essId: candidate.essId,
    fromVersion: candidate.currentVersion,
    toVersion: candidate.firmwareVersion,
    kind: updateKindOf(candidate),
    status,
    progressPct: 0,
    attempt: 1,
    maxAttempts: values.maxAttempts ?? 3,
    stateSince: work.now,
    progressAt: work.now,
    deadlineAt: deadlineOf(status, { since: work.now, scheduledAt }),
    requestedBy: work.caller.userId,
    events: [
      {
        at: work.now.toISOString(),
        from: null,
        to: status,
        progressPct: 0,
        source: 'USER',
        ...noted({ code: 'ATTEMPT', values: { attempt: 1 } }),
      },
    ],
  }
}

const boardChanged = async (record: Row, work: Work) => {
  const { rows } = await sql<{
    version: number
  }>`select "version" from "control_pcb" where "id" = ${record.controlPcbId}`.execute(work.db)
  work.changed({ resource: 'control-pcb', id: String(record.controlPcbId), version: rows[0]?.version ?? 1, type: 'updated' })
}

async function lockedUpdate(id: string, work: Work): Promise<Update> {
  const [update] = await lockUpdates(work.db, sql`"id" = ${id}`)
  if (!update) throw problem('busy')
  await requireAssignment(work, update.essId)
  return update
}

/** Not possible once the installation has started. */
const cancel: ActionHandler = async ({ id, work }) => {
  const update = await lockedUpdate(id, work)
  const to = canceledTo(update.status)
  const failure = to === 'CANCELED' ? { failureCode: 'USER' as const } : {}
  await moveUpdate(work.db, update, { to, source: 'USER', canceledBy: work.caller.userId, ...failure }, work.now)
}

/** A stopped rollout requests nothing more; a manual retry is no longer part of it. */
async function rolloutOf({ rolloutId, wave }: Update, { db }: Work): Promise<Pick<Update, 'rolloutId' | 'wave'>> {
  const led = await rowOf(db, sql`select 1 from "rollout" where "id" = ${rolloutId} and "status" <> 'STOPPED'`)
  return led ? { rolloutId, wave } : { rolloutId: null, wave: null }
}

const retry: ActionHandler = async ({ id, work }) => {
  const update = await lockedUpdate(id, work)
  const { candidate } = await mustPass(update, work)
  const now = { essId: candidate.essId, fromVersion: candidate.currentVersion, kind: updateKindOf(candidate) }
  const again = {
    ...update,
    ...now,
    ...(await rolloutOf(update, work)),
    attempt: update.attempt + 1,
    maxAttempts: Math.max(update.maxAttempts, update.attempt + 1),
  }
  const asked = { ...again, retryOfId: id, requestedBy: work.caller.userId, source: 'USER' } as const
  return { made: await queueUpdate(work.db, asked, work.now) }
}

export const firmwareUpdateRules: ResourceRules = {
  derived: { waitsFor: waitsForWindow, waiting: waitingSql },
  forCaller: isAssignedSql(sql`"t"."essId"`),
  beforeCreate: prepare,
  afterCreate: boardChanged,
  actions: { cancel, retry: { handler: retry, status: 201, makes: 'firmware-update' } },
  indexes: [
    `create unique index if not exists "firmware_update_open_uq" on "firmware_update" ("controlPcbId") where "finishedAt" is null`,
    // An index of all open updates looked as cheap as that of their boards while few were open at the last analysis: the frames of each
    // body then read the updates of a whole rollout.
    `drop index if exists "firmware_update_deadline_ix"`,
    `create index if not exists "firmware_update_due_ix" on "firmware_update" ("deadlineAt") where "finishedAt" is null and "deadlineAt" is not null`,
  ],
  routes: async (api, tools) => {
    boardChoices(api, tools)
    await preCheckRoute(api, tools)
  },
}
