import { sql } from 'kysely'
import { type Queryable, rowOf } from '#server/db/query.ts'

/** The system where a board stood at a moment; null where it stood nowhere. */
export async function systemAt(db: Queryable, controlPcbId: string, at: Date): Promise<string | null> {
  const row = await rowOf(
    db,
    sql<{ essId: string }>`select "essId" from "control_pcb_attachment" where "controlPcbId" = ${controlPcbId}
      and "attachedAt" <= ${at} and ("removedAt" is null or "removedAt" > ${at}) order by "attachedAt" desc limit 1`,
  )
  return row?.essId ?? null
}
