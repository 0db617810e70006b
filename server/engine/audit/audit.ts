import type { FastifyInstance } from 'fastify'
import { isRole } from '#schema/roles.ts'
import type { ServerContext } from '#server/base/context.ts'
import { addAudit } from './audit-entry.ts'

const methods: Readonly<Record<string, string>> = { GET: 'read', HEAD: 'read', POST: 'create', PUT: 'update', DELETE: 'delete' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the audit log calls a use of this route: the action, and the kind of record that it is about. */
    audit?: { action: string; entityType: string }
  }
}

const idOf = (params: unknown): string | undefined => {
  const id: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'id') : undefined
  return typeof id === 'string' ? id.slice(0, 64).replace(/[^\w-]/g, '?') : undefined
}

/** Writes an entry for whatever is refused to somebody who is signed in; what is done is written with its own transaction. */
export function auditRefusals(api: FastifyInstance, { database, clock }: Pick<ServerContext, 'database' | 'clock'>): void {
  api.addHook('onResponse', async (request, reply) => {
    const { caller } = request
    if (reply.statusCode !== 403 || !caller || !isRole(caller.role)) return
    const { audit, url } = request.routeOptions.config
    const entityId = idOf(request.params)
    try {
      await addAudit(database.kysely, {
        at: clock(),
        actorId: caller.userId,
        role: caller.role,
        action: audit?.action ?? methods[request.method] ?? request.method,
        entityType: audit?.entityType ?? url ?? 'unknown',
        ...(entityId ? { entityId } : {}),
        result: 'DENIED',
        requestId: request.id,
        ip: request.ip,
      })
    } catch (error) {
      request.log.error(error, 'a refusal could not be written to the audit log')
    }
  })
}
