import { type ReactNode, useEffect, useRef } from 'react'
import { Badge } from '#ui/feedback/badge.tsx'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Link } from './link.tsx'

export type TabItem = {
  key: string
  label: ReactNode
  href: string
  icon?: IconName | undefined
  count?: number | undefined
}
export type TabNavProps = { label: string; items: readonly TabItem[]; current: string | undefined }

export function TabNav({ label, items, current }: TabNavProps) {
  const nav = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another current tab moves the row
  useEffect(() => {
    const row = nav.current
    if (!row) return
    // Called once the page is laid out: reading the place before would lay it out an extra time.
    const observer = new ResizeObserver(() => {
      observer.disconnect()
      const active = row.querySelector<HTMLElement>('[aria-current]')
      if (active) row.scrollLeft = active.offsetLeft - 48
    })
    observer.observe(row)
    return () => observer.disconnect()
  }, [current])
  return (
    <nav className="ui-tabs" aria-label={label} ref={nav}>
      <ul>
        {items.map((item) => (
          <li key={item.key}>
            <Link href={item.href} className="ui-tab" aria-current={item.key === current ? 'page' : undefined}>
              {item.icon && <Icon name={item.icon} />}
              {item.label}
              {item.count !== undefined && <Badge count={item.count} />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
