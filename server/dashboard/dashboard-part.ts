import type { Role } from '#schema/roles.ts'
import { type Summary, summarySchema } from '#schema/summary.ts'
import type { Caller } from '#server/caller.ts'
import type { Api, ServerContext, ServerPart } from '#server/context.ts'
import type { RulesByResource } from '#server/db/field-sql.ts'
import type { Catalog } from '#server/records/catalog.ts'
import { callerOf } from '#server/records/work.ts'
import { cards } from './cards.ts'
import { clientSites } from './client-sites.ts'
import { countCards } from './count-cards.ts'
import { installerWorks } from './installer-works.ts'
import { recentChanges } from './recent-changes.ts'

type Asking = { context: ServerContext; catalog: Catalog; caller: Caller; now: Date }
type View = (asking: Asking) => Promise<Summary>

const staff: View = async ({ context, ...asking }) => {
  const { kysely } = context.database
  const [counted, recent] = await Promise.all([countCards(kysely, cards, asking), recentChanges(kysely, asking)])
  return { view: 'staff', at: asking.now.toISOString(), cards: counted, recent }
}

const client: View = async ({ context, caller, now }) => ({
  view: 'client',
  at: now.toISOString(),
  sites: await clientSites(context.database.kysely, caller, now),
})

const installer: View = async ({ context, caller, now }) => ({
  view: 'installer',
  at: now.toISOString(),
  works: await installerWorks(context.database.kysely, caller),
})

const views: Record<Role, View> = { admin: staff, moderator: staff, service_engineer: staff, client, installer }

function summaryRoute(api: Api, context: ServerContext, catalog: Catalog): void {
  api.get(
    '/dashboard/summary',
    {
      config: { access: 'user' },
      schema: {
        summary: 'What the first page shows, as far as the caller may see it',
        operationId: 'dashboard summary',
        tags: ['dashboard'],
        response: { 200: summarySchema },
      },
    },
    (request) => {
      const caller = callerOf(request)
      return views[caller.role]({ context, catalog, caller, now: context.clock() })
    },
  )
}

/** `GET /dashboard/summary`: figures of the fleet for the staff, his own systems for a client, his checklists for an installer. */
export const dashboardPart = (rules: RulesByResource): ServerPart => ({
  name: 'dashboard',
  register: (api, context) => summaryRoute(api, context, { definitions: context.definitions, rules }),
})
