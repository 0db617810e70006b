import { useCallback, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useConsole, useRuleContext } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { listOf } from '#schema/definition.ts'
import { type Inbox, inboxFilters } from '#schema/facts/inbox-facts.ts'
import type { Filter, ScreenState } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { useListRows } from '#views/list/use-list-rows.ts'
import { viewFilters } from '#views/list/view-filters.ts'

const pageSize = 50

export type InboxChange = { tab?: string; by?: string; q?: string; page?: number | undefined; id?: string | undefined }
type Address = { tab: string; by: string; q: string; page: number; id: string | undefined }

/** Query parameters that a change resets. */
const restart: Partial<Record<keyof InboxChange, readonly string[]>> = { tab: ['page', 'id'], q: ['page', 'id'], page: ['id'] }

function readAddress({ tabs, start, groups }: Inbox, search: string): Address {
  const given = new URLSearchParams(search)
  const [tab, by, page] = [given.get('tab') ?? '', given.get('by') ?? '', Number(given.get('page'))]
  return {
    tab: Object.hasOwn(tabs, tab) ? tab : start,
    by: groups.includes(by) ? by : (groups[0] ?? ''),
    q: given.get('q') ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    id: given.get('id') ?? undefined,
  }
}

function useTabFilters(resource: AnyResource, inbox: Inbox, tab: string): Filter[] {
  const ruleContext = useRuleContext()
  const { role } = useConsole().viewer
  return useMemo(
    () => viewFilters(resource, inboxFilters(resource, { inbox, tab, role }), ruleContext()),
    [resource, inbox, tab, role, ruleContext],
  )
}

export type Gathered = { key: string; first: Row; rows: Row[] }

/** Groups rows by a field, in order of first appearance. */
function gather(rows: readonly Row[], by: string): Gathered[] {
  const groups = new Map<string, Gathered>()
  for (const row of rows) {
    const key = String(valueAt(row, by) ?? '')
    const known = groups.get(key)
    if (known) known.rows.push(row)
    else groups.set(key, { key, first: row, rows: [row] })
  }
  return [...groups.values()]
}

/** State of the inbox; the address is its only store. */
export function useInbox(resource: AnyResource, inbox: Inbox) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const address = useMemo(() => readAddress(inbox, search), [inbox, search])
  const { tab, by, q, page } = address
  const filters = useTabFilters(resource, inbox, tab)
  const asked = useMemo(
    (): ScreenState => ({ filters, sort: [listOf(resource).sort], q, page, limit: pageSize }),
    [filters, resource, q, page],
  )
  const { query, rows, total } = useListRows(resource.name, asked)
  const groups = useMemo(() => gather(rows ?? [], by), [rows, by])
  const shown = useMemo(() => rows && groups.flatMap((group) => group.rows), [rows, groups])

  const href = useCallback(
    (change: InboxChange) => {
      const params = new URLSearchParams(search)
      for (const [name, value] of Object.entries(change)) {
        for (const other of restart[name as keyof InboxChange] ?? []) params.delete(other)
        if (value === undefined || value === '') params.delete(name)
        else params.set(name, String(value))
      }
      const text = params.toString()
      return text ? `${pathname}?${text}` : pathname
    },
    [pathname, search],
  )
  const go = useCallback(
    (change: InboxChange) => navigate(href(change), { replace: true, preventScrollReset: true }),
    [navigate, href],
  )
  return { address, asked, list: query, rows: shown, groups, total, pageSize, href, go }
}
