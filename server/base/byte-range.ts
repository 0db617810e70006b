import { problem } from './problems.ts'

/** The first and the last byte of a part. */
export type ByteRange = { start: number; end: number }

/** The part that a Range header asks for; undefined for the whole. More than one part is answered by the whole. Throws 416. */
export function rangeOf(header: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? '')
  if (!match || (!match[1] && !match[2])) return undefined
  const start = match[1] ? Number(match[1]) : Math.max(0, size - Number(match[2]))
  const end = match[1] && match[2] ? Math.min(Number(match[2]), size - 1) : size - 1
  if (start > end || start >= size) throw problem('range-not-satisfiable')
  return { start, end }
}
