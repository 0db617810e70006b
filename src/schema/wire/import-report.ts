import { z } from 'zod'

const count = z.int().min(0)

/** A fault of a cell, or of a whole row where `column` is null. Rows count as in spreadsheets: the header is row 1. */
const fault = z.object({
  row: count,
  column: z.string().nullable(),
  label: z.string().nullable(),
  value: z.string().nullable(),
  message: z.string(),
})

/** Answer of POST /import/{target}. Nothing is written by a dry run. */
export const importReportSchema = z.object({
  target: z.string(),
  dryRun: z.boolean(),
  total: count,
  created: count,
  updated: count,
  /** Rows that are there already and stay as they are. */
  skipped: count,
  failed: count,
  /** Letters that leave with it. */
  letters: count,
  /** Heads of the columns that fill nothing. */
  ignored: z.array(z.string()),
  /** The first thousand. */
  faults: z.array(fault),
  /** All rejected rows with all their faults. */
  rejects: z.array(z.object({ row: count, reason: z.string() })),
  jobId: z.string().optional(),
  /** Device keys of the new boards; only this answer contains them. */
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
  /** Records that the undo gave their former values back. */
  restored: count.nullable(),
  /** Records that the undo kept, with the reason. */
  kept: z.array(z.object({ code: z.string(), reason: z.string() })).nullable(),
})

export const demoFleetSchema = z.object({
  /** True when this server allows a demo fleet. */
  allowed: z.boolean(),
  ess: count,
  boards: count,
  people: count,
  firmware: count,
})

/**
 * Bounds of a demo fleet. A system stores some 300 samples per day while the embedded database serves others: this much history
 * takes a few minutes.
 */
export const demoBounds = {
  seed: { min: 0, max: 999_999_999 },
  size: { min: 5, max: 500 },
  days: { min: 1, max: 30 },
  systemDays: 2_000,
} as const

/** Most days of history that a fleet of a size can have. */
export const mostDemoDays = (size: number): number =>
  Math.min(demoBounds.days.max, Math.max(demoBounds.days.min, Math.floor(demoBounds.systemDays / size)))

export const outboxMailSchema = z.object({ id: z.string(), at: z.string(), to: z.string(), subject: z.string() })
export const outboxLetterSchema = outboxMailSchema.extend({ text: z.string(), link: z.string().nullable() })
/** `active` is false once a mail server is set: then nothing is kept here. */
export const outboxSchema = z.object({ active: z.boolean(), mails: z.array(outboxMailSchema) })

export type ImportReport = z.output<typeof importReportSchema>
export type ImportFault = ImportReport['faults'][number]
export type ImportJob = z.output<typeof importJobSchema>
export type DemoFleet = z.output<typeof demoFleetSchema>
export type Outbox = z.output<typeof outboxSchema>
export type OutboxMail = Outbox['mails'][number]
export type OutboxLetter = z.output<typeof outboxLetterSchema>
