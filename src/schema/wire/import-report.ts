import { z } from 'zod'

const count = z.int().min(0)

/** Fault of a cell, or of a whole row when `column` is null. Row numbers as in spreadsheets: the header is row 1. */
const fault = z.object({
  row: count,
  column: z.string().nullable(),
  label: z.string().nullable(),
  value: z.string().nullable(),
  message: z.string(),
})

/** Answer of POST /import/{target}. A dry run writes nothing. */
export const importReportSchema = z.object({
  target: z.string(),
  dryRun: z.boolean(),
  total: count,
  created: count,
  updated: count,
  /** Rows that already exist and are left unchanged. */
  skipped: count,
  failed: count,
  /** E-mails that the import sends. */
  letters: count,
  /** Headers of unmapped columns. */
  ignored: z.array(z.string()),
  /** The first thousand faults. */
  faults: z.array(fault),
  /** All rejected rows with all their faults. */
  rejects: z.array(z.object({ row: count, reason: z.string() })),
  jobId: z.string().optional(),
  /** Device keys that the import makes, as its dry run says. */
  newKeys: count.optional(),
  /** Device keys of the boards that had none; no other answer contains them. */
  keys: z.array(z.object({ code: z.string(), uid: z.string(), deviceKey: z.string() })).optional(),
})

export const importJobSchema = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({ id: z.string(), name: z.string() }).nullable(),
  target: z.string(),
  fileName: z.string(),
  /** `INTERRUPTED`: its server ended amid the file. What it had written stays, and can be undone. */
  state: z.enum(['RUNNING', 'INTERRUPTED', 'DONE']),
  /** Rows of the file that are dealt with. */
  done: count,
  total: count,
  created: count,
  updated: count,
  skipped: count,
  failed: count,
  undoneAt: z.string().nullable(),
  removed: count.nullable(),
  /** Records restored to their former values by the undo. */
  restored: count.nullable(),
  /** Records that the undo left unchanged, as a whole or in some fields, with the reason. */
  kept: z.array(z.object({ code: z.string(), reason: z.string() })).nullable(),
})

export const demoFleetSchema = z.object({
  /** True when this server permits a demo fleet. */
  allowed: z.boolean(),
  ess: count,
  boards: count,
  people: count,
  firmware: count,
})

/**
 * Limits of a demo fleet. A system stores some 300 samples per day while the embedded database serves others: this much history
 * takes a few minutes.
 */
export const demoBounds = {
  seed: { min: 0, max: 999_999_999 },
  size: { min: 5, max: 500 },
  days: { min: 1, max: 30 },
  systemDays: 2_000,
} as const

/** Maximum days of history for a fleet size. */
export const mostDemoDays = (size: number): number =>
  Math.min(demoBounds.days.max, Math.max(demoBounds.days.min, Math.floor(demoBounds.systemDays / size)))

export const outboxMailSchema = z.object({ id: z.string(), at: z.string(), to: z.string(), subject: z.string() })
export const outboxMailDetailSchema = outboxMailSchema.extend({ text: z.string(), link: z.string().nullable() })
/** `active` is false once a mail server is configured: the outbox is then unused. */
export const outboxSchema = z.object({ active: z.boolean(), mails: z.array(outboxMailSchema) })

export type ImportReport = z.output<typeof importReportSchema>
export type ImportFault = ImportReport['faults'][number]
export type ImportJob = z.output<typeof importJobSchema>
export type DemoFleet = z.output<typeof demoFleetSchema>
export type Outbox = z.output<typeof outboxSchema>
export type OutboxMail = Outbox['mails'][number]
export type OutboxMailDetail = z.output<typeof outboxMailDetailSchema>
