import { sql } from 'kysely'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { type AuditEntry, addAudit } from '#server/engine/audit/audit-entry.ts'
import type { StoredBytes } from '#server/engine/files/send-file.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'

/** `size` in bytes; `isIntact`: the bytes match the hash, `isMarked`: they did not at an earlier reading. */
type ImageFacts = { size: number; sha256: string; name: string; isIntact: boolean; isMarked: boolean }

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

export const imageBytes = (firmwareId: string): StoredBytes => ({ table: 'firmwareFile', key: 'firmwareId', id: firmwareId })

/** Facts of the stored image. Its bytes are compared with their hash only when `isVerified`; else they pass for intact. */
export const imageFacts = (db: Queryable, firmwareId: string, isVerified: boolean): Promise<ImageFacts | undefined> =>
  rowOf(
    db,
    sql<ImageFacts>`select octet_length("c"."content") as "size", "f"."file"->>'sha256' as "sha256", "f"."file"->>'name' as "name",
        ${isVerified ? sql`encode(sha256("c"."content"), 'hex') = "f"."file"->>'sha256'` : sql`true`} as "isIntact",
        "c"."damagedAt" is not null as "isMarked"
      from "firmware" "f" join "firmwareFile" "c" on "c"."firmwareId" = "f"."id" where "f"."id" = ${firmwareId}`,
  )

/**
 * Facts of an image whose bytes match the hash taken at upload; unverified, of one that has always been found to match. Throws 404
 * without one, 409 when they no longer match.
 */
export async function intactImage(id: string, work: Work, isVerified = true): Promise<ImageFacts> {
  const facts = await imageFacts(work.db, id, isVerified)
  if (!facts) throw problem('not-found')
  if (!facts.isIntact || (facts.isMarked && !isVerified)) {
    recordDamage(id, work)
    throw fleetProblem('firmware.damaged')
  }
  return facts
}
