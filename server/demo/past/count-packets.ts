import { sql } from 'kysely'
import { dayMs, hourMs } from '#schema/format/durations.ts'
import type { Queryable } from '#server/db/query.ts'
import { activeFaults } from '#server/demo/simulator/faults.ts'
import type { SimulatedBoard } from '#server/demo/simulator/simulated-board.ts'

/** The dashboard shows a week by the hour. */
const countedMs = 7 * dayMs
const partsOfHour = 12

/** Packets of a board in an hour until `toMs`: one a report interval, fewer while the line was down. */
function packetsOf({ faults, operation }: SimulatedBoard, hourStart: number, toMs: number): { valid: number; invalid: number } {
  const perPart = hourMs / partsOfHour / 1000 / operation.reportIntervalS
  const sent = { valid: 0, invalid: 0 }
  for (let part = 0; part < partsOfHour; part++) {
    const at = hourStart + (part * hourMs) / partsOfHour
    const active = activeFaults(faults, at)
    if (at >= toMs || active.has('COMMS_LOSS')) continue
    sent[active.has('GARBLED') ? 'invalid' : 'valid'] += perPart
  }
  return { valid: Math.round(sent.valid), invalid: Math.round(sent.invalid) }
}

/** Counts the packets that would have brought the past of a board, at the rate at which it reports from now on. */
export async function countPackets(
  db: Queryable,
  board: SimulatedBoard,
  { attachedMs, toMs }: { attachedMs: number; toMs: number },
) {
  const first = Math.ceil(Math.max(attachedMs, toMs - countedMs) / hourMs) * hourMs
  const hours: { hour: string; valid: number; invalid: number }[] = []
  for (let at = first; at < toMs; at += hourMs) {
    const { valid, invalid } = packetsOf(board, at, toMs)
    if (valid + invalid > 0) hours.push({ hour: new Date(at).toISOString(), valid, invalid })
  }
  const counts = (name: 'valid' | 'invalid') => sql`${sql.val(hours.map((row) => row[name]))}::int4[]`
  await sql`insert into "packageHour" ("controlPcbId", "hour", "valid", "invalid")
    select ${board.facts.id}::text, "u".* from unnest(${sql.val(hours.map(({ hour }) => hour))}::timestamptz[],
      ${counts('valid')}, ${counts('invalid')}) as "u" ("hour", "valid", "invalid")
    on conflict ("controlPcbId", "hour") do update set "valid" = "packageHour"."valid" + excluded."valid",
      "invalid" = "packageHour"."invalid" + excluded."invalid"`.execute(db)
}
