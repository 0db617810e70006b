import type { ReactNode } from 'react'
import { Badge } from '#ui/feedback/badge.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Link } from './link.tsx'

export type NavItem = { key: string; label: ReactNode; href: string; icon?: IconName | undefined; count?: number | undefined }
export type NavGroup = { key: string; label?: ReactNode; items: readonly NavItem[] }
export type SideNavProps = {
  label: string
  groups: readonly NavGroup[]
  current: string | undefined
  /** The pointer or the focus is on a link: time to load its screen. */
  onIntent?: ((key: string) => void) | undefined
}

/** The main menu: links in groups, the current one marked. */
export function SideNav({ label, groups, current, onIntent }: SideNavProps) {
  return (
    <nav className="ui-nav" aria-label={label}>
      {groups.map((group) => (
        <div key={group.key} className="ui-nav-group">
          {group.label && <p className="ui-nav-heading">{group.label}</p>}
          <ul>
            {group.items.map((item) => (
              <li key={item.key}>
                <Link
                  href={item.href}
                  className="ui-nav-link"
                  aria-current={item.key === current ? 'page' : undefined}
                  onPointerEnter={onIntent && (() => onIntent(item.key))}
                  onFocus={onIntent && (() => onIntent(item.key))}
                >
                  {item.icon && <Icon name={item.icon} sizePx={18} />}
                  <span className="ui-nav-text">{item.label}</span>
                  {item.count ? <Badge count={item.count} /> : null}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
