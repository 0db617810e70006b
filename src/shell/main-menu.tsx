import { useConsole } from '#fields/definitions.tsx'
import { SideNav } from '#ui/side-nav.tsx'
import { menuItems, menuKeyOf, menuResources } from './menu-items.ts'
import { useAddress } from './use-address.ts'
import { useWords } from './use-words.ts'

/** The sections that this person may open. */
export function MainMenu({ onIntent }: { onIntent?: ((key: string) => void) | undefined }) {
  const words = useWords()
  const { definitions, permissions, language } = useConsole()
  const { pathname } = useAddress()
  const dashboard = { key: 'dashboard', label: words('nav.dashboard'), href: '/', icon: 'dashboard' } as const
  const sections = menuItems(menuResources(definitions, permissions), language)
  return (
    <SideNav
      label={words('nav.main')}
      groups={[
        { key: 'home', items: [dashboard] },
        { key: 'sections', items: sections },
      ]}
      current={menuKeyOf(pathname)}
      onIntent={onIntent}
    />
  )
}
