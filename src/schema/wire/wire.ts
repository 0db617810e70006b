import type { Tone } from '#schema/field-types.ts'
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
  /** IANA name; null = the browser's zone. */
  timezone: string | null
}
/** Answer of login and refresh; `accessTokenExpired` is in epoch seconds. */
export type SessionToken = { accessToken: string; accessTokenExpired: number; user: SessionUser }
/** Kinds of second factors; a recovery code replaces either. */
export type FactorWay = 'app' | 'passkey'
/** Answer of a correct password when a second factor must be verified or set up. */
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
  /** 409 on a stale version: the current record. 422 of a used key: the record that the first call has stored. */
  current?: Record<string, unknown>
  /** 409 on a state transition: the allowed target states. */
  allowed?: string[]
  /** 409 of a deletion: what refers to the record, as far as the caller sees it. */
  uses?: Use[]
  requestId: string
}

/** A record change in the live stream. */
export type LiveEvent = {
  resource: string
  id: string
  version: number
  type: 'created' | 'updated' | 'deleted' | 'notification'
  at: string
}

/** Resources with changes that a live stream has not sent one by one: there were more in a second than the reader asked for. */
export type LiveMerged = { type: 'merged'; resources: string[] }

/** A notification in the live stream. With a `deviceId` it is for that device only; `link` is a path of the console. */
export type LiveNote = LiveEvent & { title: Label; body: Label; link: string | null; tone?: Tone; deviceId?: string }
