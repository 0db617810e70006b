import { problem } from './problems.ts'

/** First and last byte, inclusive. */
export type ByteRange = { start: number; end: number }

/** The part requested by a Range header; undefined for the whole. Multiple ranges get the whole. Throws 416. */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (!match[1] && !match[2])) return undefined
  const start = match[1] ? Number(match[1]) : Math.max(0, size - Number(match[2]))
  const end = match[1] && match[2] ? Math.min(Number(match[2]), size - 1) : size - 1
  if (start > end || start >= size) throw problem('range-not-satisfiable')
  return { start, end }
}
