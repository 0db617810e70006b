import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { ServerContext } from '#server/base/context.ts'
import { addAudit } from './audit-entry.ts'
import { filterWords } from './filter-words.ts'
import { RecentReads } from './recent-reads.ts'

type ShownList = { resource: AnyResource; fields: Fields; rows: number; total: number }

const shownLists = new WeakMap<FastifyRequest, ShownList>()

const contacts: ReadonlySet<string> = new Set(['email', 'phone'])

const holdsContacts = (fields: Fields) => Object.values(fields).some(({ type }) => contacts.has(type))

/** Marks a request as the read of a list with contact data of others; `auditLists` logs it after the answer. */
export function noteList(request: FastifyRequest, list: ShownList): void {
  if (list.resource.logsReads && list.rows > 0 && holdsContacts(list.fields)) shownLists.set(request, list)
}

/**
 * Audits lists with contact data: one entry for the page, and the same page for the same reader once an hour. Written after the
 * answer, which it does not delay.
 */
export function auditLists(api: FastifyInstance, { database, clock }: Pick<ServerContext, 'database' | 'clock'>): void {
  const recent = new RecentReads()
  api.addHook('onResponse', async (request, reply) => {
    const list = shownLists.get(request)
    const { caller, url } = request
    if (!list || !caller || reply.statusCode !== 200) return
    const { resource, rows, total } = list
    const at = clock()
    const key = `${caller.userId} ${url}`
    if (recent.has(key, at.getTime())) return
    // Before the write: open consoles repeat a list at the same moment.
    recent.add(key, at.getTime())
    const [path = ''] = url.split('?')
    try {
      await addAudit(database.kysely, {
        at,
        actorId: caller.userId,
        role: caller.role,
        action: 'list',
        entityType: resource.name,
        after: { list: path.replace(/^\/api\//, ''), ...filterWords(request.query), rows, matching: total },
        requestId: request.id,
        ip: request.ip,
      })
    } catch (error) {
      recent.forget(key)
      request.log.error(error, 'the read of a list could not be written to the audit log')
    }
  })
}
