import { rolesFor } from '#schema/definition.ts'
import type { ListFilters } from '#schema/facts/figure-facts.ts'
import { inboxFilters } from '#schema/facts/inbox-facts.ts'
import { menuCountOf, type NamedFigure } from '#schema/figures.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type MenuCounts, menuCountsPath, menuCountsSchema } from '#schema/wire/menu-counts.ts'
import { callerOf } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import { TtlCache } from '#server/base/ttl-cache.ts'
import type { Queryable } from '#server/db/query.ts'
import type { Catalog } from '#server/engine/records/catalog.ts'
import { type Asking, countList } from './count-figures.ts'

/** Cache TTL: several tabs of a user, and consecutive events, share one count. */
const keptMs = 1_000

const counted = (resource: AnyResource, key: string, filters: ListFilters): NamedFigure => ({
  resource,
  key,
  figure: { place: 'now', tone: 'info', label: resource.label.many, filters },
})

/** The inbox's default tab as a figure, with the filters of its page. */
function inboxOf(resource: AnyResource, { caller }: Asking): NamedFigure[] {
  const { inbox } = resource.list ?? {}
  return inbox ? [counted(resource, 'inbox', inboxFilters(resource, { inbox, tab: inbox.start, role: caller.role }))] : []
}

function menuOf(resource: AnyResource): NamedFigure[] {
  const count = menuCountOf(resource)
  return count ? [counted(resource, resource.name, count.filters)] : []
}

/** Menu counts of a caller; one statement per list. */
async function menuCounts(db: Queryable, asking: Asking): Promise<MenuCounts> {
  const { catalog, caller } = asking
  const open = [...catalog.definitions.values()].filter((resource) => rolesFor(resource, 'list').includes(caller.role))
  const lists = open.map((resource) => [...menuOf(resource), ...inboxOf(resource, asking)])
  const cards = await Promise.all(lists.map((figures) => countList(db, figures, asking)))
  return Object.fromEntries(cards.flat().map(({ key, count }) => [key, count]))
}

export function menuCountsRoute(api: Api, context: ServerContext, catalog: Catalog): void {
  const kept = new TtlCache<MenuCounts>(keptMs)
  api.get(
    `/${menuCountsPath}`,
    {
      config: { access: 'user' },
      schema: {
        summary: 'Live counts of the menu, as far as the caller may see them',
        operationId: 'menu counts',
        tags: ['dashboard'],
        response: { 200: menuCountsSchema },
      },
    },
    (request) => {
      const caller = callerOf(request)
      const asking = { catalog, caller, now: context.clock() }
      return kept.of(`${caller.role} ${caller.userId}`, () => menuCounts(context.database.kysely, asking))
    },
  )
}
