import type { FastifyRequest } from 'fastify'
import type { Role } from '#schema/roles.ts'
import type { SessionUser } from '#schema/wire/wire.ts'
import { problem } from './problems.ts'

/** Who is calling, read anew for every request; the role is the one of now. */
export type Caller = { userId: string; role: Role; sessionId: string; email: string; user: SessionUser }

/** Who may use a route: everyone, everyone who is signed in, or the roles named. Every route under /api declares it. */
export type Access = 'public' | 'user' | readonly Role[]

declare module 'fastify' {
  interface FastifyRequest {
    /** Null while nobody is signed in; filled by the session plugin before access is checked. */
    caller: Caller | null
  }
  interface FastifyContextConfig {
    access?: Access
  }
}

/** The signed-in caller; refuses (401) a request without one. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw problem('not-signed-in')
  return request.caller
}
