import { useSay } from '#fields/definitions.tsx'
import { nameOf, useAccount } from '#shell/account.ts'
import { useWords } from '#shell/use-words.ts'
import { Menu, type MenuEntry } from '#ui/overlay/menu.tsx'
import { askForKeys, keysTitle } from '#views/keys/page-keys.ts'

/** Profile, help and sign-out. */
export function UserMenu() {
  const words = useWords()
  const sayLabel = useSay()
  const { user, signOut } = useAccount()
  const items: MenuEntry[] = [
    { key: 'who', heading: `${user.email} · ${words(`role.${user.role}`)}` },
    { key: 'profile', label: words('nav.profile'), icon: 'user', href: '/profile' },
    { key: 'support', label: words('nav.support'), icon: 'mail', href: '/support' },
    { key: 'about', label: words('nav.about'), icon: 'info', href: '/about' },
    { key: 'keys', label: `${sayLabel(keysTitle)} (?)`, icon: 'key', onSelect: askForKeys },
    { key: 'line', separator: true },
    { key: 'sign-out', label: words('buttons.signOut'), icon: 'logout', onSelect: () => void signOut() },
  ]
  return <Menu label={words('nav.account', { name: nameOf(user) })} icon="user" items={items} />
}
