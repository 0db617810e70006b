import { useConsole } from '#fields/definitions.tsx'
import { useAddress } from '#shell/use-address.ts'
import { useWords } from '#shell/use-words.ts'
import { SideNav } from '#ui/layout/side-nav.tsx'
import { menuItems, menuKeyOf, menuResources } from './menu-items.ts'

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
