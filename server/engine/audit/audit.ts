import type { FastifyInstance } from 'fastify'
import { isObject } from '#schema/is-object.ts'
import { isRole } from '#schema/roles.ts'
import type { ServerReason } from '#schema/server-reasons.ts'
import type { ServerContext } from '#server/base/context.ts'
import { addAudit } from './audit-entry.ts'

const methods: Readonly<Record<string, string>> = { GET: 'read', HEAD: 'read', POST: 'create', PUT: 'update', DELETE: 'delete' }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Audit name of the route: action and entity type. */
    audit?: { action: string; entityType: string }
  }
}

const idOf = (params: unknown): string | undefined => {
  const id: unknown = isObject(params) ? Reflect.get(params, 'id') : undefined
  return typeof id === 'string' ? id.slice(0, 64).replace(/[^\w-]/g, '?') : undefined
}

const mostRemembered = 10_000

/** Throttle: one entry per caller, call and time window, so that a flood of requests does not flood the log. */
class OncePerWait {
  readonly #until = new Map<string, number>()

  isFirst(key: string, windowS: number): boolean {
    const now = performance.now()
    if ((this.#until.get(key) ?? 0) > now) return false
    if (this.#until.size >= mostRemembered) {
      for (const [known, until] of this.#until) if (until <= now) this.#until.delete(known)
      if (this.#until.size >= mostRemembered) return false
    }
    this.#until.set(key, now + windowS * 1000)
    return true
  }
}

/** The e-mail in a sign-in or mail request. */
const typedEmail = (body: unknown): string | undefined => {
  const email: unknown = Reflect.get(Object(body), 'email')
  return typeof email === 'string'
    ? email
        .slice(0, 300)
        .trim()
        .toLowerCase()
        .replace(/\p{Cc}/gu, '?')
    : undefined
}

/**
 * Audits every refusal of a signed-in caller, and the first hit of a user rate limit by anyone; successful changes are audited
 * in their own transaction.
 */
export function auditRefusals(api: FastifyInstance, { database, clock }: Pick<ServerContext, 'database' | 'clock'>): void {
  const once = new OncePerWait()
  api.addHook('onResponse', async (request, reply) => {
    const { caller, ip } = request
    const { audit, url, countsItself } = request.routeOptions.config
    const code = caller ? undefined : typedEmail(request.body)
    const isForbidden = reply.statusCode === 403 && caller && isRole(caller.role)
    const key = `${caller?.userId ?? ip} ${code ?? ''} ${request.method} ${url}`
    const isLimited = reply.statusCode === 429 && !countsItself && once.isFirst(key, Number(reply.getHeader('retry-after')))
    if (!isForbidden && !isLimited) return
    const entityId = idOf(request.params)
    try {
      await addAudit(database.kysely, {
        at: clock(),
        actorId: caller?.userId,
        role: caller?.role,
        action: audit?.action ?? methods[request.method] ?? request.method,
        entityType: audit?.entityType ?? url ?? 'unknown',
        ...(entityId ? { entityId } : {}),
        code,
        result: 'DENIED',
        ...(isLimited && { reason: 'too-many-attempts' satisfies ServerReason }),
        requestId: request.id,
        ip,
      })
    } catch (error) {
      request.log.error(error, 'a refusal could not be written to the audit log')
    }
  })
}
