import { sql } from 'kysely'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { desiredOfBoard } from '#server/fleet/configuration/configuration-state.ts'
import type { DecodedFrame } from '#server/frames/frame-decoder.ts'
import type { Value } from '#server/frames/wire-field.ts'
import { hasNewData } from './board-report.ts'

/** Answer of a board to a version of its configuration. */
type Answered = { controlPcbId: string; values: Readonly<Record<string, Value>>; receivedAt: Date }

const isOutcome = ({ values: { result } }: Answered) => result === 'APPLIED' || result === 'REJECTED'

/** A board that reports to run a version without having answered it has applied it. */
const isReport = ({ values: { result } }: Answered) => result === 'REPORTED'

/** The last one per key, in the order in which they came. */
const lastOf = (answers: readonly Answered[], keyOf: (answer: Answered) => string): Answered[] => [
  ...new Map(answers.map((answer) => [keyOf(answer), answer])).values(),
]

/** A board that applied a version and reports no values runs that version, unless it reports values later. */
function runningOf(answers: readonly Answered[]): Answered[] {
  const telling = answers.filter(({ values: { result, configuration } }) => result === 'APPLIED' || configuration)
  return lastOf(telling, ({ controlPcbId }) => controlPcbId).filter(({ values: { configuration } }) => !configuration)
}

const boardsOf = (answers: readonly Answered[]) => sql`${sql.val(answers.map(({ controlPcbId }) => controlPcbId))}::text[]`
const versionsOf = (answers: readonly Answered[]) =>
  sql`${sql.val(answers.map(({ values }) => values.configVersion ?? null))}::int8[]`

async function writeOutcomes(db: Queryable, answers: readonly Answered[]): Promise<void> {
  if (answers.length === 0) return
  const results = answers.map(({ values }) => values.result)
  const reasons = answers.map(({ values: { result, rejectReason } }) => (result === 'REJECTED' ? rejectReason : null))
  const times = answers.map(({ receivedAt }) => receivedAt.toISOString())
  await rowsOf(
    db,
    sql`update "configuration" "c" set "outcome" = case "u"."result" when 'REPORTED' then 'APPLIED' else "u"."result" end, "outcomeAt" = "u"."at", "outcomeReason" = "u"."reason"
      from unnest(${boardsOf(answers)}, ${versionsOf(answers)}, ${sql.val(results)}::text[], ${sql.val(times)}::timestamptz[],
        ${sql.val(reasons)}::text[]) as "u" ("board", "version", "result", "at", "reason")
      where "c"."controlPcbId" = "u"."board" and "c"."version" = "u"."version"
        and ("u"."result" <> 'REPORTED' or "c"."outcome" is null)`,
  )
}

async function writeRunning(db: Queryable, answers: readonly Answered[]): Promise<void> {
  if (answers.length === 0) return
  await rowsOf(
    db,
    sql`update "boardState" "s" set "reported" = ${desiredOfBoard},
        "reportIntervalS" = coalesce(("c"."desired"->>'reportIntervalS')::int4, "s"."reportIntervalS")
      from unnest(${boardsOf(answers)}, ${versionsOf(answers)}) as "u" ("board", "version")
        join "configuration" "c" on "c"."controlPcbId" = "u"."board" and "c"."version" = "u"."version"
      where "s"."controlPcbId" = "u"."board"`,
  )
}

/** Stores answers of boards, in the order in which they came, with the versions that they answer: so the history keeps them. */
export async function storeOutcomes(db: Queryable, answers: readonly Answered[]): Promise<void> {
  const known = [...answers.filter(isReport), ...answers.filter(isOutcome)]
  const outcomes = lastOf(known, ({ controlPcbId, values }) => `${controlPcbId} ${values.configVersion}`)
  await Promise.all([writeOutcomes(db, outcomes), writeRunning(db, runningOf(answers))])
}

type Came = { controlPcbId: string; frames: readonly DecodedFrame[]; receivedAt: Date }

/** Answers to configurations in a board's frames. */
export const answersIn = ({ controlPcbId, frames, receivedAt }: Came): Answered[] =>
  frames
    .filter((frame) => frame.type === 'CONFIG_ACK' && hasNewData(frame))
    .map(({ values }) => ({ controlPcbId, values, receivedAt }))
