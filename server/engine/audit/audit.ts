import type { FastifyInstance } from 'fastify'
import { isObject } from '#schema/is-object.ts'
import { isRole } from '#schema/roles.ts'
import type { ServerContext } from '#server/base/context.ts'
import { addAudit } from './audit-entry.ts'

const methods: Readonly<Record<string, string>> = { GET: 'read', HEAD: 'read', POST: 'create', PUT: 'update', DELETE: 'delete' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The audit name of this route: action and kind of record. */
    audit?: { action: string; entityType: string }
  }
}

const idOf = (params: unknown): string | undefined => {
  const id: unknown = isObject(params) ? Reflect.get(params, 'id') : undefined
  return typeof id === 'string' ? id.slice(0, 64).replace(/[^\w-]/g, '?') : undefined
}

/** Audits every refusal of a signed-in caller; successful changes are audited in their own transaction. */
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
