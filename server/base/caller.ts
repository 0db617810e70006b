import type { FastifyRequest } from 'fastify'
import type { Role } from '#schema/roles.ts'
import type { SessionUser } from '#schema/wire/wire.ts'
import { problem } from './problems.ts'

/** The signed-in person, read for every request: a change of role holds at once. */
export type Caller = { userId: string; role: Role; sessionId: string; email: string; user: SessionUser }

/** The caller as people call them. */
export const callerName = ({ email, user: { firstName, lastName } }: Caller): string =>
  `${firstName} ${lastName}`.trim() || email

/** Access of a route: everyone, every signed-in user, or the roles named. Every route under /api declares it. */
export type Access = 'public' | 'user' | readonly Role[]

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without a session; the session plugin fills it before access is checked. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    access?: Access
    /** A public route that tells a signed-in caller more; a token that has ended is as good as none. */
    knowsCaller?: true
    /** Boards call it by their keys; the route asks for them itself. */
    deviceKey?: true
  }
}

/** The signed-in caller; refuses (401) a request without one. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw problem('not-signed-in')
  return request.caller
}
