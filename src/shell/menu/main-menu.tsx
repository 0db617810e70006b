import { useConsole } from '#fields/definitions.tsx'
import { ownPages } from '#shell/own-pages.ts'
import { useAddress } from '#shell/use-address.ts'
import { useWords } from '#shell/use-words.ts'
import { SideNav } from '#ui/layout/side-nav.tsx'
import { menuItems, menuKeyOf, menuResources } from './menu-items.ts'

/** The sections that this person may open. */
export function MainMenu({ onIntent }: { onIntent?: ((key: string) => void) | undefined }) {
  const words = useWords()
  const { definitions, permissions, language, viewer } = useConsole()
  const { pathname } = useAddress()
  const dashboard = { key: 'dashboard', label: words('nav.dashboard'), href: '/', icon: 'dashboard' } as const
  const own = ownPages
    .filter(({ inMenu, roles }) => inMenu && roles.includes(viewer.role))
    .map(({ key, word, href, icon }) => ({ key, label: words(word), href, icon }))
  const sections = menuItems(menuResources(definitions, permissions), language)
  return (
    <SideNav
      label={words('nav.main')}
      groups={[
        { key: 'home', items: [dashboard, ...own] },
        { key: 'sections', items: sections },
      ]}
      current={menuKeyOf(pathname)}
      onIntent={onIntent}
    />
  )
}
