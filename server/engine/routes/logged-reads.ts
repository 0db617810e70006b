import type { FastifyRequest } from 'fastify'
import type { AnyResource } from '#schema/resource.ts'
import { callerOf } from '#server/base/caller.ts'
import { RecentReads } from '#server/engine/audit/recent-reads.ts'
import { auditSubject } from '#server/engine/records/audit-change.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { type Engine, transact } from '#server/engine/records/work.ts'

const recent = new WeakMap<Engine, RecentReads>()

/** Audits a read of a record with `logsReads`: once an hour per reader, except for the own account. */
export async function logRead(
  engine: Engine,
  request: FastifyRequest,
  { resource, record }: { resource: AnyResource; record: Row },
): Promise<void> {
  const { userId } = callerOf(request)
  if (!resource.logsReads || record.id === userId) return
  const reads = recent.get(engine) ?? new RecentReads()
  recent.set(engine, reads)
  const key = `${userId} ${resource.name} ${record.id}`
  const now = engine.context.clock().getTime()
  if (reads.has(key, now)) return
  await transact(engine, request, ({ audit }) => audit({ action: 'read', ...auditSubject(resource, record) }))
  reads.add(key, now)
}
