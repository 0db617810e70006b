import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { insertRows } from '#server/db/insert-rows.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'

/** An audit entry written without a signed-in caller: sign-in, sessions, links from mails. */
export type AuditEntry = {
  at: Date
  actorId?: string | undefined
  role?: string | undefined
  action: string
  entityType: string
  entityId?: string | undefined
  code?: string | undefined
  before?: Record<string, unknown> | undefined
  after?: Record<string, unknown> | undefined
  reason?: string | undefined
  result?: 'OK' | 'DENIED' | 'FAILED'
  requestId: string
  ip: string
}

const json = (value: Record<string, unknown> | undefined) => (value ? JSON.stringify(value) : null)

/** Adds an audit entry in the transaction that it describes. */
export async function addAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  const { at, actorId, role, action, entityType, entityId, code, before, after, reason, result, requestId, ip } = entry
  await rowsOf(
    db,
    sql`insert into "auditLog" ("id", "at", "actorId", "role", "action", "entityType", "entityId", "code", "before", "after",
        "reason", "result", "requestId", "ip")
      values (${uuidv7()}, ${at}, ${actorId ?? null}, ${role ?? null}, ${action}, ${entityType}, ${entityId ?? null}, ${code ?? null},
        ${json(before)}, ${json(after)}, ${reason ?? null}, ${result ?? 'OK'}, ${requestId}, ${ip})`,
  )
}

/** Adds the entries of a change to many records: a statement for some hundred, and not one for each. */
export const addAudits = (db: Queryable, entries: readonly AuditEntry[]): Promise<void> =>
  insertRows(
    db,
    'auditLog',
    entries.map(({ result = 'OK', ...entry }) => ({ id: uuidv7(), result, ...entry })),
  )

/** Entry of what the server does by itself: neither a request nor an address stands behind it. */
export const addServerAudit = (db: Queryable, entry: Omit<AuditEntry, 'requestId' | 'ip'>): Promise<void> =>
  addAudit(db, { ...entry, requestId: '', ip: '' })

/** The same of what the server does to many records. */
export const addServerAudits = (db: Queryable, entries: readonly Omit<AuditEntry, 'requestId' | 'ip'>[]): Promise<void> =>
  addAudits(
    db,
    entries.map((entry) => ({ ...entry, requestId: '', ip: '' })),
  )
