import { useList } from '@refinedev/core'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { routeOf } from '#schema/definition.ts'
import { formatNumber } from '#schema/format/format.ts'
import type { AnyResource } from '#schema/resource.ts'
import { iconOf, menuResources } from '#shell/menu/menu-items.ts'
import { useWords } from '#shell/use-words.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'

const oneRow = { currentPage: 1, pageSize: 1 }

function CountCard({ resource }: { resource: AnyResource }) {
  const words = useWords()
  const sayLabel = useSay()
  const { language } = useConsole()
  const { query } = useList({ resource: resource.name, pagination: oneRow, errorNotification: false })
  const total = query.data?.total
  const count = total === undefined || total === Infinity ? undefined : formatNumber(total, 0, language)
  return (
    <Card title={sayLabel(resource.label.many)}>
      <Link className="shell-count" href={`/${routeOf(resource)}`}>
        <Icon name={iconOf(resource)} sizePx={22} />
        {query.isLoading && <Skeleton width={64} height={26} />}
        {count && <span>{words('dashboard.total', { count: total, shown: count })}</span>}
        {query.isError && <span>—</span>}
      </Link>
    </Card>
  )
}

/** Sections with their record counts, for a server without a summary. A viewer without sections gets a link to the profile. */
export function SectionCards() {
  const words = useWords()
  const { definitions, permissions } = useConsole()
  const sections = menuResources(definitions, permissions)
  if (sections.length === 0)
    return (
      <EmptyState
        icon="user"
        title={words('dashboard.noSections')}
        action={<Button href="/profile">{words('nav.profile')}</Button>}
      />
    )
  return (
    <div className="shell-columns">
      {sections.map((resource) => (
        <CountCard key={resource.name} resource={resource} />
      ))}
    </div>
  )
}
