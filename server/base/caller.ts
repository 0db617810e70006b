import type { FastifyRequest } from 'fastify'
import type { Role } from '#schema/roles.ts'
import type { SessionUser } from '#schema/wire/wire.ts'
import { problem } from './problems.ts'

/** The signed-in user, read on every request, so that a change of role takes effect at once. */
export type Caller = { userId: string; role: Role; sessionId: string; email: string; user: SessionUser }

type Named = { email: string; firstName?: string | null; lastName?: string | null }

/** An e-mail address of which the first letter and the host stay; other texts stay as they are. */
export const maskedAddress = (text: string): string => text.replace(/^(.)\S*(?=@[^@\s]*$)/, '$1***')

/** Name of a person in texts that others read later: the full name, or the masked e-mail if there is none. */
export const displayName = ({ email, firstName, lastName }: Named): string =>
  `${firstName ?? ''} ${lastName ?? ''}`.trim() || maskedAddress(email)

/** Display name of the caller. */
export const callerName = ({ email, user }: Caller): string => displayName({ ...user, email })

/** Access of a route: everyone, every signed-in user, or the roles named. Every route under /api declares it. */
export type Access = 'public' | 'user' | readonly Role[]

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a session; set by the session plugin before access is checked. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    access?: Access
    /** A public route with additional data for a signed-in caller; an expired token is ignored. */
    knowsCaller?: true
    /** Called by boards; the route authenticates their device keys itself. */
    deviceKey?: true
  }
}

/** The signed-in caller; throws 401 without one. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw problem('not-signed-in')
  return request.caller
}
