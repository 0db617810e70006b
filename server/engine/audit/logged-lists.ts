import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ServerContext } from '#server/base/context.ts'
import { addAudit } from './audit-entry.ts'
import { loggedFilters } from './logged-filters.ts'
import { RecentReads } from './recent-reads.ts'
import { mayTellContacts, type ShownRows, tellsContacts } from './shown-contacts.ts'

type ShownList = ShownRows & { rows: number; total: number }

const shownLists = new WeakMap<FastifyRequest, ShownList>()

/** Marks a request as the read of a list that may tell contact data of others; `auditLists` logs it after the answer. */
export function noteList(request: FastifyRequest, list: ShownList): void {
  if (list.rows > 0 && mayTellContacts(list)) shownLists.set(request, list)
}

/**
 * Audits lists with contact data: one entry for the page, and the same page for the same reader once an hour. Written after the
 * answer, which it does not delay.
 */
export function auditLists(api: FastifyInstance, { database, clock }: Pick<ServerContext, 'database' | 'clock'>): void {
  const recent = new RecentReads()
  const silent = new RecentReads()
  api.addHook('onResponse', async (request, reply) => {
    const list = shownLists.get(request)
    const { caller, url } = request
    if (!list || !caller || reply.statusCode !== 200) return
    const { resource, rows, total } = list
    const at = clock()
    const key = `${caller.userId} ${url}`
    if (recent.has(key, at.getTime())) return
    // Of this answer and not of the list, which may tell more the next time.
    const answer = `${key} ${createHash('sha256').update(list.json).digest('base64')}`
    if (silent.has(answer, at.getTime())) return
    if (!tellsContacts(list, caller.userId)) return silent.add(answer, at.getTime())
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
        after: { list: path.replace(/^\/api\//, ''), ...loggedFilters(request.query), rows, matching: total },
        requestId: request.id,
        ip: request.ip,
      })
    } catch (error) {
      recent.forget(key)
      request.log.error(error, 'the read of a list could not be written to the audit log')
    }
  })
}
