import type { ColumnType, Generated, JSONColumnType } from 'kysely'

/** Read as ISO 8601 text with milliseconds and Z; written as that or as a Date. */
type Time = ColumnType<string, string | Date, string | Date>
type TimeOrNull = ColumnType<string | null, string | Date | null | undefined, string | Date | null>
type Made = ColumnType<string, string | Date | undefined, string | Date>
type Json = JSONColumnType<Record<string, unknown>> | null

type SessionTable = {
  id: string
  userId: string
  createdAt: Made
  lastSeenAt: Made
  absoluteExpiresAt: Time
  confirmedAt: TimeOrNull
  label: Generated<string>
  ip: string | null
  endedAt: TimeOrNull
  endReason: string | null
}
type SessionTokenTable = {
  hash: string
  sessionId: string
  expiresAt: Time
  replacedAt: TimeOrNull
  parentHash: string | null
  usedAt: TimeOrNull
  revokedAt: TimeOrNull
}
type CredentialTable = { userId: string; passwordHash: string; changedAt: Made }
type LinkTable = {
  id: string
  kind: string
  tokenHash: string
  userId: string | null
  email: string | null
  invitationId: string | null
  expiresAt: Time
  usedAt: TimeOrNull
  createdAt: Made
}
type LoginAttemptTable = { id: Generated<number>; key: string; at: Made; openUntil: TimeOrNull }
type IdempotencyTable = {
  key: string
  userId: string
  method: string
  path: string
  bodyHash: string
  status: number | null
  answer: string | null
  createdAt: Made
}
type AuditLogTable = {
  id: string
  at: Made
  actorId: string | null
  role: string | null
  action: string
  entityType: string
  entityId: string | null
  code: string | null
  before: Json
  after: Json
  reason: string | null
  result: Generated<string>
  requestId: string | null
  ip: string | null
}
type EventTable = {
  id: Generated<number>
  at: Made
  resource: string
  entityId: string
  version: number
  type: string
  xid: Generated<string>
}

/** Tables that no definition describes. */
export type SystemTables = {
  session: SessionTable
  sessionToken: SessionTokenTable
  credential: CredentialTable
  link: LinkTable
  loginAttempt: LoginAttemptTable
  idempotency: IdempotencyTable
  auditLog: AuditLogTable
  event: EventTable
}
