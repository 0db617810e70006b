import { callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import type { MailBox } from '#server/base/mail.ts'
import { problem } from '#server/base/problems.ts'
import { eventChannel } from '#server/db/events/event-channel.ts'
import { addActionRoutes } from './actions/action-routes.ts'
import { auditRefusals } from './audit/audit.ts'
import { auditLists } from './audit/logged-lists.ts'
import { prepareTables } from './changes/prepare-tables.ts'
import { addDownloadRoutes } from './files/download-routes.ts'
import { addUploadRoutes } from './files/upload-routes.ts'
import { answerList, selectedIds } from './records/answer-list.ts'
import { ListStatementCache } from './records/list-statements.ts'
import { workWithRecords } from './records/record-calls.ts'
import type { RecordTools } from './records/resource-rules.ts'
import { showRecord } from './records/show-record.ts'
import { createTotals, type Totals } from './records/totals.ts'
import { type Engine, tableOfChange, transact, withoutTransaction } from './records/work.ts'
import { addKnownValueRoutes } from './routes/known-value-routes.ts'
import { addOutlookRoutes } from './routes/outlook-routes.ts'
import { addRecordRoutes } from './routes/record-routes.ts'
import { addRelatedRoutes } from './routes/related-routes.ts'
import { watchRoutes } from './routes/route-table.ts'
import type { RulesByResource } from './sql/field-sql.ts'

const totalsOf = new WeakMap<ServerContext, Totals>()

/** The product's rules, its mail transport, and observers of changes. */
export type EngineOptions = {
  rules: RulesByResource
  mailOf: (context: ServerContext) => MailBox
  onChanges?: Engine['onChanges']
  /** Removed resources whose rows may be archived. */
  goneResources?: readonly string[]
}

export function engineOf(context: ServerContext, { rules, mailOf, onChanges }: EngineOptions): Engine {
  const totals = totalsOf.get(context) ?? createTotals()
  totalsOf.set(context, totals)
  const catalog = { definitions: context.definitions, rules, clock: context.clock }
  const shared = { context, catalog, totals, statements: new ListStatementCache(), mail: mailOf(context), onChanges }
  const engine: Engine = { ...shared, workWith: (base) => workWithRecords(engine, base) }
  return engine
}

function toolsOf(engine: Engine): RecordTools {
  const resourceOf = (name: string) => {
    const resource = engine.catalog.definitions.get(name)
    if (!resource) throw problem('not-found')
    return resource
  }
  return {
    context: engine.context,
    transact: (request, work) => transact(engine, request, work),
    withoutTransaction: (request, work) => withoutTransaction(engine, request, work),
    list: (request, reply, { resource, ...narrowing }) =>
      answerList(engine, { ...narrowing, resource: resourceOf(resource) }, request, reply),
    selectedIds: (request, resource, asked) => selectedIds(engine, resourceOf(resource), request, asked),
    show: (request, resource, id) => showRecord(engine, { resource: resourceOf(resource), id, caller: callerOf(request) }),
  }
}

/**
 * All routes derived from definitions: list, show, create, edit, delete, actions, related lists. Routes of the rules are
 * registered first and take precedence.
 */
async function registerRecords(api: Api, context: ServerContext, options: EngineOptions): Promise<void> {
  const engine = engineOf(context, options)
  const { rules } = options
  const table = watchRoutes(api)
  auditRefusals(api, context)
  auditLists(api, context)
  for (const { routes } of Object.values(rules)) await routes?.(api, toolsOf(engine))
  addRecordRoutes(api, engine, table)
  addActionRoutes(api, engine, table)
  addRelatedRoutes(api, engine, table)
  addOutlookRoutes(api, engine)
  addKnownValueRoutes(api, engine)
  await addUploadRoutes(api, engine)
  addDownloadRoutes(api, engine, table)
}

export const recordsPart = (options: EngineOptions): ServerPart => ({
  name: 'records',
  async prepare({ database, definitions, log }) {
    const { applied, added, drift } = await prepareTables(database, definitions, options.rules, {
      goneResources: options.goneResources ?? [],
      log,
    })
    for (const statement of applied) log.debug({ statement }, 'tables: changed')
    if (added.length > 0) log.info(`tables: added for the definitions: ${added.join(', ')}`)
    for (const difference of drift) log.warn(`tables: left as it is: ${difference}`)
  },
  register: (api, context) => registerRecords(api, context, options),
  /** Changes by other processes invalidate cached totals. */
  start: (context) =>
    context.database.listen(eventChannel, {
      message: (payload) => totalsOf.get(context)?.forget(tableOfChange(context, payload.split(' ')[1] ?? '')),
    }),
})
