import { isObject } from '#schema/is-object.ts'
import { isRole } from '#schema/roles.ts'
import type { SessionToken } from '#schema/wire/wire.ts'
import { isLanguage } from '#schema/words.ts'

/**
 * The session record that tabs share. A higher `rev` wins; a logout keeps a record without a session, so that a late message
 * cannot restore it. `skewMs` is the lead of the server's clock. `ended` is why the server ended the session, in its words.
 */
export type SessionRecord = { session: SessionToken | null; rev: number; skewMs: number; ended?: string }

export const noSession: SessionRecord = { session: null, rev: 0, skewMs: 0 }

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The token object of a login or refresh answer; null for anything else, such as a proxy's page. */
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

/** A record as another tab or the storage holds it; null when it is not one of ours. */
export function readRecord(value: unknown): SessionRecord | null {
  if (!isObject(value) || typeof value.rev !== 'number' || !Number.isFinite(value.rev)) return null
  const skewMs = typeof value.skewMs === 'number' && Number.isFinite(value.skewMs) ? value.skewMs : 0
  const ended = typeof value.ended === 'string' ? { ended: value.ended } : {}
  return { session: readSession(value.session), rev: value.rev, skewMs, ...ended }
}

export function parseRecord(json: string | null): SessionRecord | null {
  if (json === null) return null
  try {
    return readRecord(JSON.parse(json))
  } catch {
    return null
  }
}

/** True for the same user in the same role: then a new token is only a refresh. */
export function isSameIdentity(a: SessionToken | null, b: SessionToken | null): boolean {
  if (!a || !b) return a === b
  return a.user.email === b.user.email && a.user.role === b.user.role
}
