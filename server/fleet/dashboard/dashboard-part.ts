import { z } from 'zod'
import { figuresOf } from '#schema/figures.ts'
import { hourMs } from '#schema/format/durations.ts'
import type { Role } from '#schema/roles.ts'
import { type StaffSummary, type Summary, type SummaryCharts, summarySchema } from '#schema/wire/summary.ts'
import { type Caller, callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { orWhenLate } from '#server/base/time-limit.ts'
import { TtlCache } from '#server/base/ttl-cache.ts'
import type { Catalog } from '#server/engine/records/catalog.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { zoneOr, zonesOf } from '#server/fleet/telemetry/zones.ts'
import { attention, failedUpdates } from './attention.ts'
import { clientSites } from './client-sites.ts'
import { countFigures } from './count-figures.ts'
import { fleetCharts } from './fleet-charts.ts'
import { fleetNow } from './fleet-now.ts'
import { type ClosedHours, closedHours } from './hourly-counts.ts'
import { installerWorks } from './installer-works.ts'
import { menuCountsRoute } from './menu-counts.ts'
import { recentChanges } from './recent-changes.ts'

/** Least cache TTLs: figures are equal for all viewers of a role; charts change slowly. */
const keptMs = { figures: 1_000, charts: 5_000 }

type Figures = Pick<StaffSummary, 'at' | 'cards' | 'fleet'>
/** Warnings and updates that wait for a person. */
type Work = Pick<StaffSummary, 'attention' | 'failedUpdates'>
type Keeping = {
  figures: TtlCache<Figures>
  work: TtlCache<Work>
  closedHours: TtlCache<ClosedHours>
  charts: TtlCache<SummaryCharts>
}
type Asking = {
  context: ServerContext
  catalog: Catalog
  caller: Caller
  now: Date
  zone: string | undefined
  keeping: Keeping
}
type View = (asking: Asking) => Promise<Summary>

async function loadFigures({ context, ...asking }: Asking): Promise<Figures> {
  const { kysely } = context.database
  const [cards, fleet] = await Promise.all([countFigures(kysely, asking), fleetNow(kysely)])
  return { at: asking.now.toISOString(), cards, fleet }
}

async function loadWork({ context, ...asking }: Asking): Promise<Work> {
  const { kysely } = context.database
  const [warnings, updates] = await Promise.all([attention(kysely, asking), failedUpdates(kysely, asking)])
  return { attention: warnings, failedUpdates: updates }
}

/** The figures do not wait longer for the charts of a large fleet: the page asks for these again. */
const chartsWithinMs = 3_000

async function loadCharts({ context, keeping, now }: Asking, zone: string): Promise<SummaryCharts> {
  const { kysely } = context.database
  const closed = await keeping.closedHours.of('all', () => closedHours(kysely, now))
  return fleetCharts(kysely, now, zone, closed)
}

/** Cache key: callers of one role share the figures, unless a counted list is scoped for the role. */
function viewerKey({ catalog, caller }: Asking): string {
  const isScoped = figuresOf(catalog.definitions.values()).some(({ resource }) => resource.scope?.[caller.role])
  return isScoped ? `${caller.role} ${caller.userId}` : caller.role
}

const staff: View = async (asking) => {
  const { context, keeping } = asking
  const zone = zoneOr(await zonesOf(context.database), asking.zone)
  const viewer = viewerKey(asking)
  const [figures, work, charts, recent] = await Promise.all([
    keeping.figures.of(viewer, () => loadFigures(asking)),
    keeping.work.of(viewer, () => loadWork(asking)),
    orWhenLate(
      keeping.charts.of(zone, () => loadCharts(asking, zone)),
      chartsWithinMs,
      null,
    ),
    recentChanges(context.database.kysely, asking),
  ])
  return {
    view: 'staff',
    isRefreshing: charts === null || keeping.figures.isRevalidating(viewer) || keeping.charts.isRevalidating(zone),
    ...figures,
    ...work,
    charts,
    recent,
  }
}

const client: View = async (asking) => {
  const { context, caller, now } = asking
  const [cards, sites] = await Promise.all([
    countFigures(context.database.kysely, asking),
    clientSites(context.database, caller, now),
  ])
  return { view: 'client', at: now.toISOString(), cards, sites }
}

const installer: View = async (asking) => {
  const { kysely } = asking.context.database
  const [cards, works] = await Promise.all([countFigures(kysely, asking), installerWorks(kysely, asking.caller)])
  return { view: 'installer', at: asking.now.toISOString(), cards, works }
}

const views: Record<Role, View> = {
  admin: staff,
  moderator: staff,
  service_engineer: staff,
  client,
  installer,
}

const query = z.strictObject({
  zone: z.string().max(64).optional().meta({ description: 'IANA name of the zone that days are of; UTC without one' }),
})

function summaryRoute(api: Api, context: ServerContext, catalog: Catalog): void {
  const large = { mayBeCostly: true }
  const keeping: Keeping = {
    figures: new TtlCache(keptMs.figures, large),
    work: new TtlCache(keptMs.figures),
    closedHours: new TtlCache(0, { ...large, mostMs: hourMs }),
    charts: new TtlCache(keptMs.charts, large),
  }
  api.get(
    '/dashboard/summary',
    {
      config: { access: 'user' },
      schema: {
        summary: 'What the first page shows, as far as the caller may see it',
        operationId: 'dashboard summary',
        tags: ['dashboard'],
        querystring: query,
        response: { 200: summarySchema },
      },
    },
    (request) => {
      const caller = callerOf(request)
      return views[caller.role]({ context, catalog, caller, now: context.clock(), zone: request.query.zone, keeping })
    },
  )
}

/**
 * `GET /dashboard/summary` and `GET /menu/counts`: fleet figures for staff, own systems for a client, the checklist for an
 * installer.
 */
export const dashboardPart = (rules: RulesByResource): ServerPart => ({
  name: 'dashboard',
  register: (api, context) => {
    const catalog = { definitions: context.definitions, rules, clock: context.clock }
    summaryRoute(api, context, catalog)
    menuCountsRoute(api, context, catalog)
  },
})
