import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'

const atOnce = 500
/** Lists reload on one event; ten thousand events would only load every open page. */
const mostEvents = 200

/** Events that several transactions of one work have announced. */
export type Announced = { count: number }

/**
 * Work over many records: audit entries are batched until `flush`, and announced changes are capped. Beyond the cap each
 * transaction still announces one, so that lists and cached totals follow.
 */
export function bulkWork(work: Work, announced: Announced = { count: 0 }): { work: Work; flush: () => Promise<void> } {
  const entries: Row[] = []
  let isFirst = true
  const line = {
    at: work.now,
    actorId: work.caller.userId,
    role: work.caller.role,
    result: 'OK',
    requestId: work.requestId,
    ip: work.ip,
  }
  return {
    work: {
      ...work,
      audit: async (entry) => void entries.push({ id: uuidv7(), ...line, ...entry }),
      changed: (change) => {
        announced.count += 1
        if (isFirst || announced.count <= mostEvents) work.changed(change)
        isFirst = false
      },
    },
    async flush() {
      for (let at = 0; at < entries.length; at += atOnce) {
        await sql`insert into "auditLog" ("id", "at", "actorId", "role", "action", "entityType", "entityId", "code", "before", "after",
            "reason", "result", "requestId", "ip")
          select "id", "at", "actorId", "role", "action", "entityType", "entityId", "code", "before", "after", "reason", "result",
            "requestId", "ip" from jsonb_populate_recordset(null::"auditLog", ${JSON.stringify(entries.slice(at, at + atOnce))}::jsonb)`.execute(
          work.db,
        )
      }
      entries.length = 0
    },
  }
}
