import { Suspense, useState } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import type { MenuCounts as Counts } from '#schema/wire/menu-counts.ts'
import { pagesFor } from '#shell/own-pages.ts'
import { usePathname } from '#shell/use-address.ts'
import { useWords } from '#shell/use-words.ts'
import { SideNav } from '#ui/layout/side-nav.tsx'
import { lazyWhenIdle } from '#ui/layout/when-idle.ts'
import { listedResources, menuItem, menuKeyOf, menuResources, menuSections } from './menu-items.ts'

// The counts load while idle, after the page's rows.
const MenuCounts = lazyWhenIdle<{ onCounts: (counts: Counts) => void }>(() =>
  import('./menu-counts.tsx').then((module) => ({ default: module.MenuCounts })),
)

/** The sections that the viewer may open, in groups. */
export function MainMenu({ onIntent }: { onIntent?: ((key: string) => void) | undefined }) {
  const words = useWords()
  const { definitions, permissions, language, viewer } = useConsole()
  const pathname = usePathname()
  const [counts, setCounts] = useState<Counts>({})
  const dashboard = { key: 'dashboard', label: words('nav.dashboard'), href: '/', icon: 'dashboard' } as const
  const own = pagesFor(viewer.role, permissions)
    .filter(({ inMenu }) => inMenu)
    .map(({ key, word, href, icon }) => ({
      key,
      label: words(word),
      href,
      icon,
      count: { of: counts[key] ?? 0, tone: 'warn' as const, label: words('nav.waiting') },
    }))
  const sections = menuSections(menuResources(definitions, permissions), language)
  return (
    <>
      <Suspense fallback={null}>
        <MenuCounts onCounts={setCounts} />
      </Suspense>
      <SideNav
        label={words('nav.main')}
        groups={[
          { key: 'home', items: [dashboard, ...own] },
          ...sections.map(({ resources, ...group }) => ({
            ...group,
            items: resources.map((resource) => menuItem(resource, language, counts)),
          })),
        ]}
        current={menuKeyOf(pathname, listedResources(definitions, permissions))}
        onIntent={onIntent}
      />
    </>
  )
}
