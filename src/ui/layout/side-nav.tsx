import { type ReactNode, useId } from 'react'
import { Badge } from '#ui/feedback/badge.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import type { Tone } from '#ui/theme/tokens.ts'
import { Link } from './link.tsx'

export type NavItem = {
  key: string
  label: ReactNode
  href: string
  icon?: IconName | undefined
  /** Count after the label, with text for screen readers; absent or zero shows none. */
  count?: { of: number; label: string; tone: Tone } | undefined
}
export type NavGroup = { key: string; label?: ReactNode; items: readonly NavItem[] }
export type SideNavProps = {
  label: string
  groups: readonly NavGroup[]
  current: string | undefined
  /** Hover or focus on a link: a hint to preload its screen. */
  onIntent?: ((key: string) => void) | undefined
}

/** The main menu: grouped links with the current one marked. */
export function SideNav({ label, groups, current, onIntent }: SideNavProps) {
  const id = useId()
  return (
    <nav className="ui-nav" aria-label={label}>
      {groups.map((group) => (
        <div key={group.key} className="ui-nav-group">
          {group.label && (
            <p id={`${id}${group.key}`} className="ui-nav-heading">
              {group.label}
            </p>
          )}
          <ul aria-labelledby={group.label ? `${id}${group.key}` : undefined}>
            {group.items.map((item) => (
              <li key={item.key}>
                <Link
                  href={item.href}
                  className="ui-nav-link"
                  data-counted={item.count && ''}
                  aria-current={item.key === current ? 'page' : undefined}
                  onPointerEnter={onIntent && (() => onIntent(item.key))}
                  onFocus={onIntent && (() => onIntent(item.key))}
                >
                  {item.icon && <Icon name={item.icon} sizePx={18} />}
                  <span className="ui-nav-text">{item.label}</span>
                  {item.count && item.count.of > 0 && (
                    <Badge count={item.count.of} max={999} tone={item.count.tone} label={item.count.label} />
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
