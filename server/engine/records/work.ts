import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { RuleContext } from '#schema/rule.ts'
import { type Caller, callerOf } from '#server/base/caller.ts'
import type { ServerContext } from '#server/base/context.ts'
import type { Mail, MailBox } from '#server/base/mail.ts'
import { languageOf } from '#server/base/problems.ts'
import type { DatabaseTables } from '#server/db/connect.ts'
import { addEvents, type Change, distinctChanges } from '#server/db/events/add-events.ts'
import type { Queryable } from '#server/db/query.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addAudit, addAudits } from '#server/engine/audit/audit-entry.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import type { Catalog } from './catalog.ts'
import type { ListStatementCache } from './list-statements.ts'
import type { AnyTables, Work } from './resource-rules.ts'
import type { Totals } from './totals.ts'

/** Services shared by all engine routes. */
export type Engine = {
  context: ServerContext
  catalog: Catalog
  totals: Totals
  statements: ListStatementCache
  mail: MailBox
  /** Receives a request's changes in its transaction. */
  onChanges?:
    | ((db: Queryable, changes: readonly Change[], facts: Pick<Work, 'now' | 'definitions'>) => Promise<void>)
    | undefined
  /** Adds engine calls for rules and handlers. */
  workWith: (base: Omit<Work, 'records'>) => Work
}

/** Rule context: the caller and the current time. */
export const ruleContext = ({ userId, role }: Caller, now: Date): RuleContext => ({
  user: { id: userId, role },
  now: now.toISOString(),
})

type Queue = {
  changes: Change[]
  mails: Mail[]
  tasks: (() => Promise<void> | void)[]
  afterRollback: ((db: Queryable) => Promise<unknown>)[]
}

function makeWork(engine: Engine, request: FastifyRequest, db: Kysely<DatabaseTables>, queue: Queue): Work {
  const { context, catalog } = engine
  const caller = callerOf(request)
  const now = context.clock()
  const line = { at: now, actorId: caller.userId, role: caller.role, requestId: request.id, ip: request.ip }
  return engine.workWith({
    db: db.withTables<AnyTables>(),
    caller,
    now,
    language: languageOf(request),
    requestId: request.id,
    ip: request.ip,
    definitions: catalog.definitions,
    config: context.config,
    audit: (entry) => addAudit(db, { ...line, ...entry }),
    auditAll: (entries) =>
      addAudits(
        db,
        entries.map((entry) => ({ ...line, ...entry })),
      ),
    changed: (change) => void queue.changes.push(change),
    mail: (mail) => void queue.mails.push(mail),
    afterRollback: (task) => void queue.afterRollback.push(task),
    afterCommit: (task) => void queue.tasks.push(task),
  })
}

/** Tables whose cached totals a change invalidates. */
export function tableOfChange({ definitions }: Pick<Catalog, 'definitions'>, name: string): string {
  const resource = definitions.get(name)
  return resource ? tableOf(resource) : name
}

async function withRollbackWrites<T>({ context }: Engine, { afterRollback }: Queue, task: () => Promise<T>): Promise<T> {
  try {
    return await task()
  } catch (error) {
    if (afterRollback.length > 0) {
      await inTransaction(context.database, async (db) => {
        for (const write of afterRollback) await write(db)
      })
    }
    throw error
  }
}

/**
 * Runs a read with the services of a change, but without a transaction: a slow read then holds no row locks, and does not block
 * the only session of the embedded engine.
 */
export function withoutTransaction<T>(engine: Engine, request: FastifyRequest, task: (work: Work) => Promise<T>): Promise<T> {
  return task(
    makeWork(engine, request, engine.context.database.kysely, { changes: [], mails: [], tasks: [], afterRollback: [] }),
  )
}

/**
 * Runs the changes of a request in one transaction. Live events and mails are part of it; mails leave and other tasks follow after the commit, and
 * their failure is logged, since the change is committed.
 */
export async function transact<T>(engine: Engine, request: FastifyRequest, task: (work: Work) => Promise<T>): Promise<T> {
  const queue: Queue = { changes: [], mails: [], tasks: [], afterRollback: [] }
  const result = await withRollbackWrites(engine, queue, () =>
    inTransaction(engine.context.database, async (db) => {
      const work = makeWork(engine, request, db, queue)
      const answer = await task(work)
      await addEvents(db, queue.changes, work.now)
      const forAll = queue.changes.filter(({ userId }) => userId === undefined)
      if (forAll.length > 0) await engine.onChanges?.(db, distinctChanges(forAll), work)
      for (const mail of queue.mails) await engine.mail.add(db, mail)
      return answer
    }),
  )
  for (const { resource } of queue.changes) engine.totals.forget(tableOfChange(engine.catalog, resource))
  if (queue.mails.length > 0) engine.mail.work()
  for (const after of queue.tasks) {
    try {
      await after()
    } catch (error) {
      request.log.error(error, 'a task after the commit failed')
    }
  }
  return result
}
