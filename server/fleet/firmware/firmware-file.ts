import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { type AuditEntry, addAudit } from '#server/engine/audit/audit-entry.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'

type Stored = { content: Buffer; sha256: string; name: string }

/** True while the stored image of the firmware "f" is intact; a damaged image is neither offered nor installed. */
export const hasSoundFile = sql<boolean>`exists (select 1 from "firmwareFile" "c" where "c"."firmwareId" = "f"."id" and "c"."damagedAt" is null)`

type Finder = Pick<AuditEntry, 'at' | 'actorId' | 'role' | 'requestId' | 'ip'>

/** Marks an image whose bytes no longer match its hash, and audits that once. */
export async function markDamaged(db: Queryable, id: string, finder: Finder): Promise<void> {
  const found = await rowOf(
    db,
    sql`update "firmwareFile" set "damagedAt" = ${finder.at} where "firmwareId" = ${id} and "damagedAt" is null returning 1`,
  )
  if (found)
    await addAudit(db, { ...finder, action: 'integrity-check', entityType: 'firmware', entityId: id, result: 'FAILED' })
}

const recordDamage = (id: string, { now, caller, requestId, ip, afterRollback }: Work): void =>
  afterRollback((db) => markDamaged(db, id, { at: now, actorId: caller.userId, role: caller.role, requestId, ip }))

/** The stored bytes. Throws 409 when they no longer match the hash taken at upload. */
export async function storedFile(id: string, work: Work): Promise<Stored> {
  const row = await rowOf(
    work.db,
    sql<Stored>`select "c"."content", "f"."file"->>'sha256' as "sha256", "f"."file"->>'name' as "name"
      from "firmware" "f" join "firmwareFile" "c" on "c"."firmwareId" = "f"."id" where "f"."id" = ${id}`,
  )
  if (!row) throw problem('not-found')
  if (createHash('sha256').update(row.content).digest('hex') !== row.sha256) {
    recordDamage(id, work)
    throw fleetProblem('firmware.damaged')
  }
  return row
}
