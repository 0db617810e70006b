import { z } from 'zod'

export const connectSteps = ['KEY', 'CONTACT', 'CLOCK', 'TELEMETRY', 'CONFIGURATION'] as const

export const connectHints = [
  'RETIRED',
  'NO_KEY',
  'DEMO_KEY',
  'NEXT_KEY',
  'FORMER_KEY',
  'OTHER_UID',
  'KEY_OF_OTHER',
  'REFUSED',
  'NO_FRAME',
  'NOTHING_CAME',
  'STRANGE_KEY',
  'NO_CLOCK',
  'CLOCK_AHEAD',
  'CLOCK_BEHIND',
  'INVALID',
  'UNKNOWN_VERSION',
  'NO_SAMPLE',
  'REJECTED',
  'DIFFERS',
  'PENDING',
] as const

/** Obstacle of a step; the values fill its text. */
const hint = z.object({
  code: z.enum(connectHints),
  values: z.record(z.string(), z.union([z.string(), z.number()]).nullable()),
})
const step = z.object({
  code: z.enum(connectSteps),
  state: z.enum(['DONE', 'WAITING', 'FAILED']),
  at: z.string().nullable(),
  hints: z.array(hint),
})

/** Answer of `GET /control-pcb/{id}/connect`. `frameHex`: a current heartbeat of the board, to send by hand. */
export const connectAnswer = z.object({
  uid: z.string(),
  keyAt: z.string().nullable(),
  keyUsedAt: z.string().nullable(),
  steps: z.array(step),
  frameHex: z.string(),
})

export type Hint = z.infer<typeof hint>
export type ConnectStep = z.infer<typeof step>
export type ConnectAnswer = z.infer<typeof connectAnswer>
