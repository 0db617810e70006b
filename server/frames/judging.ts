import type { Channel } from '#resources/fleet/channel-of.ts'
import type { FrameContext, Reason } from './frame-decoder.ts'
import { makeReason } from './make-reason.ts'
import type { Payload } from './read-frame.ts'
import type { Value } from './wire-field.ts'

/** Input of the checks: values, board, and board time, which is undefined when the clock is wrong. */
export type Judging = { payload: Payload; context: FrameContext; timeMs: number | undefined }

/** Remembers the last result: the checks of a payload and the memory of it need the same. */
export function oncePerPayload<T>(judge: (judging: Judging) => T): (judging: Judging) => T {
  let last: { payload: Payload; value: T } | undefined
  return (judging) => {
    if (last?.payload !== judging.payload) last = { payload: judging.payload, value: judge(judging) }
    return last.value
  }
}

export type Doubt = { reason: Reason; doubted: readonly Channel[] }
export type Check = (judging: Judging) => Doubt[]

export const numberOf = (value: Value | undefined): number | undefined => (typeof value === 'number' ? value : undefined)
export const shown = (value: number, unit?: string) => `${Number(value.toFixed(2))}${unit ? ` ${unit}` : ''}`

export function placeOf({ spanOf }: Payload, field: string) {
  const span = spanOf(field)
  return { field, ...(span ? { offset: span[0], length: span[1] } : {}) }
}

export const inconsistent = (
  payload: Payload,
  field: Channel,
  expected: string,
  actual: string,
  doubted: Channel[],
): Doubt => ({
  reason: makeReason('INCONSISTENT', { ...placeOf(payload, field), expected, actual }),
  doubted,
})
