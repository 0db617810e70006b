import { isObject } from '#schema/is-object.ts'
import { isRole } from '#schema/roles.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import { isLanguage } from '#schema/words.ts'

/**
 * The session record shared by all tabs. The higher `rev` wins; logout stores a record without a session, so that a late
 * message cannot restore it. `skewMs` is the offset of the server's clock. `ended` is the server's reason for ending the
 * session, `mayReturn` true where the same address signs in again.
 */
export type SessionRecord = { session: SessionToken | null; rev: number; skewMs: number; ended?: string; mayReturn?: boolean }

export const noSession: SessionRecord = { session: null, rev: 0, skewMs: 0 }

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The token of a login or refresh response; null for anything else, such as a proxy's page. */
export function readSession(value: unknown): SessionToken | null {
  if (!isObject(value) || !isObject(value.user)) return null
  const { accessToken, accessTokenExpired, user } = value
  if (typeof accessToken !== 'string' || !accessToken || typeof accessTokenExpired !== 'number') return null
  if (typeof user.email !== 'string' || !isRole(user.role)) return null
  return {
    accessToken,
    accessTokenExpired,
    user: {
      id: text(user.id),
      email: user.email,
      role: user.role,
      firstName: text(user.firstName),
      lastName: text(user.lastName),
      language: isLanguage(user.language) ? user.language : null,
      timezone: text(user.timezone) || null,
    },
  }
}

/** A record from another tab or the storage; null when malformed. */
export function readRecord(value: unknown): SessionRecord | null {
  if (!isObject(value) || typeof value.rev !== 'number' || !Number.isFinite(value.rev)) return null
  const skewMs = typeof value.skewMs === 'number' && Number.isFinite(value.skewMs) ? value.skewMs : 0
  const ended = typeof value.ended === 'string' ? { ended: value.ended } : {}
  const mayReturn = value.mayReturn === true ? { mayReturn: true } : {}
  return { session: readSession(value.session), rev: value.rev, skewMs, ...ended, ...mayReturn }
}

export function parseRecord(json: string | null): SessionRecord | null {
  if (json === null) return null
  try {
    return readRecord(JSON.parse(json))
  } catch {
    return null
  }
}

/** True for the same user and role: a new token is then only a refresh. */
export function isSameIdentity(a: SessionToken | null, b: SessionToken | null): boolean {
  if (!a || !b) return a === b
  return a.user.email === b.user.email && a.user.role === b.user.role
}
