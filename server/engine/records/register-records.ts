import { sql } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import type { Database } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { addActionRoutes } from '#server/engine/actions/action-routes.ts'
import { auditRefusals } from '#server/engine/audit/audit.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { type Derived, deriveTables } from '#server/engine/sql/tables.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { answerList } from './answer-list.ts'
import { KeptStatements } from './list-statements.ts'
import { addRelatedRoutes } from './related-routes.ts'
import type { RecordTools } from './resource-rules.ts'
import { watchRoutes } from './route-table.ts'
import { addRecordRoutes } from './routes.ts'
import { showRecord } from './show-record.ts'
import { createTotals, type Totals } from './totals.ts'
import { callerOf, type Engine, eventChannel, run, tableOfChange } from './work.ts'

const totalsOf = new WeakMap<ServerContext, Totals>()

export function engineOf(context: ServerContext, rules: RulesByResource): Engine {
  const totals = totalsOf.get(context) ?? createTotals()
  totalsOf.set(context, totals)
  const catalog = { definitions: context.definitions, rules }
  return { context, catalog, totals, statements: new KeptStatements(), mail: (mail) => mailerOf(context).send(mail) }
}

function toolsOf(engine: Engine): RecordTools {
  const resourceOf = (name: string) => {
    const resource = engine.catalog.definitions.get(name)
    if (!resource) throw problem('not-found')
    return resource
  }
  return {
    context: engine.context,
    run: (request, work) => run(engine, request, work),
    list: (request, reply, { resource, ...narrowing }) =>
      answerList(engine, { ...narrowing, resource: resourceOf(resource) }, request, reply),
    show: (request, resource, id) => showRecord(engine, { resource: resourceOf(resource), id, caller: callerOf(request) }),
  }
}

/** Brings the tables up to the definitions, as one change that several servers may begin at once. */
export const prepareTables = (database: Database, definitions: Definitions, rules: RulesByResource): Promise<Derived> =>
  inTransaction(database, async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    return deriveTables(db, definitions, rules)
  })

/**
 * Every call that follows from the definitions: list, show, create, edit, delete, actions, lists below a record. The domain's own
 * routes come first, and none is added where one of them stands.
 */
async function registerRecords(api: Api, context: ServerContext, rules: RulesByResource): Promise<void> {
  const engine = engineOf(context, rules)
  const table = watchRoutes(api)
  auditRefusals(api, context)
  for (const { routes } of Object.values(rules)) await routes?.(api, toolsOf(engine))
  addRecordRoutes(api, engine, table)
  addActionRoutes(api, engine, table)
  addRelatedRoutes(api, engine, table)
}

/** The records as a part of the server; `rules` is what the domain adds to the definitions. */
export const recordsPart = (rules: RulesByResource): ServerPart => ({
  name: 'records',
  async prepare({ database, definitions, log }) {
    const { applied, drift } = await prepareTables(database, definitions, rules)
    for (const statement of applied) log.debug({ statement }, 'tables: added')
    if (applied.length > 0) log.info(`tables: ${applied.length} additions for the definitions`)
    for (const difference of drift) log.warn(`tables: left as it is: ${difference}`)
  },
  register: (api, context) => registerRecords(api, context, rules),
  /** What other processes change makes totals kept here wrong. */
  start: (context) =>
    context.database.listen(eventChannel, {
      message: (payload) =>
        totalsOf.get(context)?.forget(tableOfChange({ definitions: context.definitions, rules }, payload.split(' ')[1] ?? '')),
    }),
})
