import { z } from 'zod'

const count = z.int().min(0)

/** What is wrong with a cell, or with a whole row where `column` is null. Rows are counted as spreadsheets do: the head is row 1. */
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
  /** The first thousand. */
  faults: z.array(fault),
  /** Every row that can not be taken, with all that is wrong with it. */
  rejects: z.array(z.object({ row: count, reason: z.string() })),
  jobId: z.string().optional(),
})

export const importJobSchema = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({ id: z.string(), name: z.string() }).nullable(),
  target: z.string(),
  fileName: z.string(),
  total: count,
  created: count,
  updated: count,
  skipped: count,
  failed: count,
  undoneAt: z.string().nullable(),
  removed: count.nullable(),
  /** What an undoing has left, and why. */
  kept: z.array(z.object({ code: z.string(), reason: z.string() })).nullable(),
})

export const demoFleetSchema = z.object({
  /** Whether this server has a demo fleet at all. */
  allowed: z.boolean(),
  ess: count,
  boards: count,
  people: count,
  firmware: count,
})

/**
 * What may be asked of a demo fleet. Each system's day is some 300 samples, which the embedded database stores while it serves
 * others: so much of the past is written in a few minutes.
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
