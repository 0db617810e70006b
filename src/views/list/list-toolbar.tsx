import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { usePermissions, useSay } from '#fields/definitions.tsx'
import { fieldOf, listOf } from '#schema/definition.ts'
import type { Filter } from '#schema/list-query.ts'
import { permissionsIn } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { SearchInput } from '#ui/input/search-input.tsx'
import { Toolbar } from '#ui/layout/toolbar.tsx'
import { usePagePart } from '#views/keys/page-keys.ts'
import { listWords } from '#views/shared/list-words.ts'
import { ListFilters } from './list-filters.tsx'
import type { ListQueryControl } from './use-list-query.ts'
import type { ViewChoicesProps } from './view-choices.tsx'
import { ViewMenu } from './view-menu.tsx'

export type ListToolbarProps = {
  resource: AnyResource
  fixed: readonly Filter[] | undefined
  query: ListQueryControl
  view: ViewChoicesProps
  end?: ReactNode
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** A Cyrillic layout has the point on the key of the slash. */
const isSlash = ({ key, code }: KeyboardEvent) => key === '/' || (key === '.' && code === 'Slash')

/** Focuses the search box on `/`; without its label there is none. */
export function useSearchKey(label: string | undefined) {
  const search = useRef<HTMLInputElement>(null)
  usePagePart(label === undefined ? undefined : 'search')
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!isSlash(event) || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      event.preventDefault()
      search.current?.focus()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
  return search
}

export function ListToolbar({ resource, fixed, query, view, end }: ListToolbarProps) {
  const { state, change } = query
  const label = useSearchLabel(resource)
  const search = useSearchKey(label)
  return (
    <Toolbar
      end={
        <>
          {end}
          <ViewMenu {...view} />
        </>
      }
    >
      {label && <SearchInput ref={search} value={state.q} label={label} onChange={(q) => change({ q }, { replace: true })} />}
      <ListFilters {...{ resource, fixed }} filters={state.filters} onChange={(filters) => change({ filters })} />
    </Toolbar>
  )
}

/** Label that names the searched fields; undefined where nothing is searchable. */
export function useSearchLabel(resource: AnyResource): string | undefined {
  const sayLabel = useSay()
  const permissions = usePermissions()
  return useMemo(() => {
    const { hidden } = permissionsIn(permissions, resource.name)
    const fields = listOf(resource)
      .search.filter((path) => !hidden.includes(path))
      .flatMap((path) => fieldOf(resource, path) ?? [])
    if (fields.length === 0) return undefined
    return sayLabel(listWords.searchIn, { fields: fields.map((field) => sayLabel(field.label)).join(', ') })
  }, [permissions, resource, sayLabel])
}
