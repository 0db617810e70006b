import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import { type Fault, type FaultKind, faultKinds } from './faults.ts'

export type BoardFault = Fault & { controlPcbId: string }

type Row = { controlPcbId: string; kind: string; startedAt: string; endsAt: string }
const isKind = (kind: string): kind is FaultKind => faultKinds.some((known) => known === kind)

/** Injects faults at boards for a time; the simulator picks them up within seconds. */
export async function injectFaults(db: Queryable, faults: readonly BoardFault[]): Promise<void> {
  for (const { controlPcbId, kind, fromMs, toMs } of faults)
    await sql`insert into "simulatorFault" ("id", "controlPcbId", "kind", "startedAt", "endsAt")
      values (${uuidv7()}, ${controlPcbId}, ${kind}, ${new Date(fromMs)}, ${new Date(toMs)})`.execute(db)
}

/** Faults by board that end after a time. */
export async function faultsSince(db: Queryable, sinceMs: number): Promise<ReadonlyMap<string, readonly Fault[]>> {
  const rows = await rowsOf(
    db,
    sql<Row>`select "controlPcbId", "kind", "startedAt", "endsAt" from "simulatorFault" where "endsAt" > ${new Date(sinceMs)}`,
  )
  const byBoard = new Map<string, Fault[]>()
  for (const { controlPcbId, kind, startedAt, endsAt } of rows) {
    if (!isKind(kind)) continue
    const fault: Fault = { kind, fromMs: Date.parse(startedAt), toMs: Date.parse(endsAt) }
    byBoard.set(controlPcbId, [...(byBoard.get(controlPcbId) ?? []), fault])
  }
  return byBoard
}
