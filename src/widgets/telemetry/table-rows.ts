import type { Channel } from '#resources/fleet/channel-of.ts'
import type { ChannelValue } from './channel-text.ts'
import { estimatedAt, type SeriesData } from './panel/series-data.ts'

/** A step with its values, or a span without measurements. */
export type TableRow =
  | { kind: 'values'; atMs: number; values: readonly ChannelValue[]; estimatedPct: readonly number[] }
  | { kind: 'gap'; atMs: number; toMs: number }

/** The series as rows, newest first; consecutive empty steps are merged. */
export function tableRows(data: SeriesData, names: readonly Channel[]): TableRow[] {
  const { times, stepMs, channels } = data
  const rows: TableRow[] = []
  for (let index = times.length - 1; index >= 0; index -= 1) {
    const atMs = times[index] ?? 0
    const values = names.map((name) => channels[name]?.avg[index] ?? null)
    const last = rows.at(-1)
    const estimatedPct = names.map((name) => estimatedAt(data, name, index))
    if (values.some((value) => value !== null)) rows.push({ kind: 'values', atMs, values, estimatedPct })
    else if (last?.kind === 'gap') last.atMs = atMs
    else rows.push({ kind: 'gap', atMs, toMs: atMs + stepMs })
  }
  return rows
}

/** Row of a step. */
export const rowAt = (rows: readonly TableRow[], timeMs: number): TableRow | undefined =>
  rows.find((row) => (row.kind === 'gap' ? row.atMs <= timeMs && timeMs < row.toMs : row.atMs === timeMs))
