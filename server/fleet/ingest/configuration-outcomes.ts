import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { desiredOfBoard } from '#server/fleet/configuration/configuration-state.ts'
import type { DecodedFrame } from '#server/frames/frame-decoder.ts'
import type { Value } from '#server/frames/wire-field.ts'
import { isNews } from './board-report.ts'

type Answered = { controlPcbId: string; values: Readonly<Record<string, Value>>; receivedAt: Date }

/**
 * Stores the board's answer with the version, so that the history keeps it. A board that applied a version and reports no
 * values runs that version.
 */
export async function storeOutcome(db: Queryable, { controlPcbId, values, receivedAt }: Answered): Promise<void> {
  const { configVersion, result, rejectReason, configuration } = values
  if (result !== 'APPLIED' && result !== 'REJECTED') return
  const isRunning = result === 'APPLIED' && !configuration
  const outcome = rowsOf(
    db,
    sql`update "configuration" set "outcome" = ${result}, "outcomeAt" = ${receivedAt}, "outcomeReason" = ${result === 'REJECTED' ? rejectReason : null}
      where "controlPcbId" = ${controlPcbId} and "version" = ${configVersion}`,
  )
  const state = isRunning
    ? rowsOf(
        db,
        sql`update "boardState" set "reported" = ${desiredOfBoard},
            "reportIntervalS" = coalesce(("c"."desired"->>'reportIntervalS')::int4, "boardState"."reportIntervalS") from "configuration" "c" where "boardState"."controlPcbId" = ${controlPcbId}
          and "c"."controlPcbId" = ${controlPcbId} and "c"."version" = ${configVersion}`,
      )
    : undefined
  await Promise.all([outcome, state])
}

/** Stores answers to configurations in a board's frames. */
export async function storeOutcomes(
  db: Queryable,
  { controlPcbId, frames, receivedAt }: { controlPcbId: string; frames: readonly DecodedFrame[]; receivedAt: Date },
): Promise<void> {
  const answers = frames.filter((frame) => frame.type === 'CONFIG_ACK' && isNews(frame))
  await Promise.all(answers.map(({ values }) => storeOutcome(db, { controlPcbId, values, receivedAt })))
}
