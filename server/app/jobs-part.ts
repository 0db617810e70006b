import { dayMs, hourMs, minuteMs } from '#schema/format/durations.ts'
import { answerRestores } from '#server/account/restore-password.ts'
import { pruneDeliveries } from '#server/account/webhook/prune-deliveries.ts'
import type { ServerContext, ServerPart } from '#server/base/context.ts'
import { type Job, JobLoop, type JobObserver } from '#server/db/jobs/job-loop.ts'
import { refreshStatistics } from '#server/db/maintenance.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { removeUnusedFiles } from '#server/engine/files/remove-unused-files.ts'
import { watchConnections } from '#server/fleet/board/watch-connections.ts'
import { endDebug } from '#server/fleet/configuration/end-debug.ts'
import { endAccesses } from '#server/fleet/ess/ess-people.ts'
import { advanceRollouts } from '#server/fleet/firmware/rollouts/advance-rollouts.ts'
import { advanceUpdates } from '#server/fleet/firmware/updates/advance-updates.ts'
import { requestAutomatic } from '#server/fleet/firmware/updates/request-automatic.ts'
import { readUnread } from '#server/fleet/ingest/read-unread.ts'
import { followConnections, keepAttention } from '#server/fleet/shared/keep-attention.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { escalateWarnings } from '#server/fleet/warning/escalate.ts'
import { sendNotices } from '#server/fleet/warning/send-notices.ts'
import { serverRules } from '#server/fleet/warning/server-rules.ts'
import { endSnoozes } from '#server/fleet/warning/snooze.ts'
import { watchRules, watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { removeExpiredMails } from '#server/notify/expired-mails.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { pruneUndelivered } from '#server/notify/undelivered.ts'
import { pruneAudit } from './prune-audit.ts'
import { prunePackages } from './prune-packages.ts'
import { pruneTelemetry } from './prune-telemetry.ts'

const second = 1_000
const monthsAheadMs = 62 * dayMs

const rulesThat = (areSlow: boolean) => serverRules.filter(({ isSlow = false }) => isSlow === areSlow)

/** Background jobs and their intervals. */
const jobsOf = (server: ServerContext, decoder: FrameDecoder): readonly Job[] => [
  { name: 'updates', everyMs: 3 * second, run: ({ database, clock }) => advanceUpdates(database, clock()) },
  { name: 'rollouts', everyMs: 3 * second, run: ({ database, clock }) => advanceRollouts(database, clock()) },
  { name: 'automatic updates', everyMs: minuteMs, run: ({ database, clock }) => requestAutomatic(database, clock()) },
  {
    name: 'notices',
    everyMs: 2 * second,
    run: async ({ database, clock }) => {
      const mailer = mailerOf(server)
      await sendNotices(database, { now: clock(), send: (mail, db) => mailer.add(db, mail) })
      mailer.work()
    },
  },
  { name: 'password requests', everyMs: 5 * second, run: () => answerRestores(server) },
  { name: 'connections', everyMs: 5 * second, run: ({ database, clock }) => watchConnections(database, clock()) },
  { name: 'attention', everyMs: 5 * second, run: ({ database, clock }) => followConnections(database, clock()) },
  { name: 'attention of all', everyMs: hourMs, run: ({ database, signal }) => keepAttention(database, signal) },
  {
    name: 'warnings',
    everyMs: 15 * second,
    run: ({ database, clock, signal }) => watchServerRules(database, clock(), { rules: rulesThat(false), signal }),
  },
  {
    name: 'slow warnings',
    everyMs: 2 * minuteMs,
    run: ({ database, clock, signal }) => watchRules(database, clock(), { rules: rulesThat(true), signal }),
  },
  { name: 'escalations', everyMs: 15 * second, run: ({ database, clock }) => escalateWarnings(database, clock()) },
  { name: 'snoozes', everyMs: 5 * second, run: ({ database, clock }) => endSnoozes(database, clock()) },
  { name: 'accesses', everyMs: 15 * second, run: ({ database, clock }) => endAccesses(database, clock()) },
  { name: 'debug', everyMs: 15 * second, run: ({ database, clock }) => endDebug(database, clock()) },
  {
    name: 'roll-ups',
    everyMs: minuteMs,
    run: ({ database, clock, signal }) => telemetryStore.rollUp(database, clock(), signal),
  },
  {
    name: 'months',
    everyMs: 6 * hourMs,
    run: ({ database, clock }) => telemetryStore.prepare(database, clock(), new Date(clock().getTime() + monthsAheadMs)),
  },
  // Packets of a version that was unknown are decoded after an upgrade, or after the product of a board was corrected.
  {
    name: 'unread packets',
    everyMs: 10 * minuteMs,
    run: ({ database, clock, signal }) => readUnread(database, decoder, clock(), signal),
  },
  { name: 'old telemetry', everyMs: hourMs, run: ({ database, clock }) => pruneTelemetry(database, clock()) },
  {
    name: 'old packages',
    everyMs: hourMs,
    run: ({ database, clock, signal }) => prunePackages(database, server.config, clock(), signal),
  },
  { name: 'old audit entries', everyMs: hourMs, run: ({ clock, signal }) => pruneAudit(server, clock(), signal) },
  {
    name: 'old letters',
    everyMs: hourMs,
    run: ({ clock }) => removeExpiredMails(server.config.dataDir, clock()),
  },
  {
    name: 'old undelivered messages',
    everyMs: hourMs,
    run: ({ database, clock }) => inTransaction(database, (db) => pruneUndelivered(db, clock())),
  },
  {
    name: 'old deliveries',
    everyMs: hourMs,
    run: ({ clock, signal }) => pruneDeliveries(server, clock(), signal),
  },
  { name: 'unused files', everyMs: hourMs, run: ({ clock, signal }) => removeUnusedFiles(server, clock(), signal) },
  // Not during start-up: the job shares this process with the requests.
  {
    name: 'statistics',
    everyMs: 10 * minuteMs,
    firstMs: minuteMs,
    run: async ({ database, signal }) => (database.kind === 'embedded' ? refreshStatistics(database, signal) : undefined),
  },
]

const recordRun =
  ({ metrics: { jobRuns, jobDuration, jobSuccess } }: ServerContext): JobObserver =>
  (name, { ok, ms }) => {
    jobRuns.inc({ name, outcome: ok ? 'success' : 'failure' })
    jobDuration.set({ name }, ms / second)
    if (ok) jobSuccess.setToCurrentTime({ name })
  }

/** Background work, in whichever of the processes holds the lease. */
export const jobsPart = (decoder: FrameDecoder): ServerPart => ({
  name: 'jobs',
  async start(context) {
    const jobs = jobsOf(context, decoder)
    for (const { name, everyMs } of jobs) context.metrics.addJob(name, everyMs / second)
    const loop = new JobLoop(context, jobs, { onRun: recordRun(context) })
    loop.start()
    return () => loop.stop()
  },
})
