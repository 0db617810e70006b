import type { Permissions } from '#schema/permissions.ts'
import type { Role } from '#schema/roles.ts'
import type { Label, Language } from '#schema/words.ts'

/** The signed-in user as stored in the session. */
export type SessionUser = {
  id: string
  email: string
  role: Role
  firstName: string
  lastName: string
  language: Language | null
  /** IANA name; null = as in the browser. */
  timezone: string | null
}
/** Answer of login and refresh; `accessTokenExpired` is seconds since the epoch. */
export type SessionToken = { accessToken: string; accessTokenExpired: number; user: SessionUser }
/** Second factors that a person can choose from; a recovery code does in place of each. */
export type FactorWay = 'app' | 'passkey'
/** Answer of a right password where more is asked for: to prove a second factor, or to set one up. */
export type SignInChallenge = { challenge: string; step: 'code' | 'enrol'; ways: readonly FactorWay[] }
/** Answer of GET /auth/me. */
export type Me = { user: SessionUser; permissions: Permissions }

/** Records of one resource that refer to another record: their number, and the first of them. */
export type Use = { resource: string; count: number; records: readonly { id: string; title: string }[] }

/** Body of every answer with a status of 400 or more. */
export type ProblemBody = {
  statusCode: number
  error: string
  message: string | string[]
  code: string
  fields?: Record<string, string>
  /** 409 of a stale version: the record as it is now. */
  current?: Record<string, unknown>
  /** 409 of a transition: what is allowed instead. */
  allowed?: string[]
  /** 409 of a deletion: what refers to the record, as far as the caller sees it. */
  uses?: Use[]
  requestId: string
}

/** A change of a record in the live stream. */
export type LiveEvent = {
  resource: string
  id: string
  version: number
  type: 'created' | 'updated' | 'deleted' | 'notification'
  at: string
}

/** A notification in the live stream. A note with a `deviceId` is for that device only; `link` is a path of the console. */
export type LiveNote = LiveEvent & { title: Label; body: Label; link: string | null; deviceId?: string }
