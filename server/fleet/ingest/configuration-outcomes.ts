import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { DecodedFrame } from '#server/frames/frame-decoder.ts'
import { isLate } from './board-report.ts'

const kept: ReadonlySet<unknown> = new Set(['APPLIED', 'REJECTED'])

/** Stores the board's answer with the version, so that the history keeps it after newer versions. */
export async function keepOutcomes(
  db: Queryable,
  { controlPcbId, frames, receivedAt }: { controlPcbId: string; frames: readonly DecodedFrame[]; receivedAt: Date },
): Promise<void> {
  for (const frame of frames) {
    const { configVersion, result, rejectReason } = frame.values
    if (frame.type !== 'CONFIG_ACK' || frame.status === 'INVALID' || isLate(frame) || !kept.has(result)) continue
    await rowsOf(
      db,
      sql`update "configuration" set "outcome" = ${result}, "outcomeAt" = ${receivedAt}, "outcomeReason" = ${result === 'REJECTED' ? rejectReason : null}
        where "controlPcbId" = ${controlPcbId} and "version" = ${configVersion}`,
    )
  }
}
