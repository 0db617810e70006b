import { type ReactNode, useEffect } from 'react'
import { Brand } from '#shell/brand.tsx'
import { LanguageMenu } from '#shell/menu/language-menu.tsx'
import { ThemeMenu } from '#shell/menu/theme-menu.tsx'
import { useShell } from '#shell/shell-services.ts'
import { useWords } from '#shell/use-words.ts'
import { Link } from '#ui/layout/link.tsx'
import { PublicFrame } from '#ui/layout/public-frame.tsx'

/** Where a visitor goes on, and who is signed in. */
export const wayOn = (isSignedIn: boolean) =>
  isSignedIn ? { href: '/', word: 'public.toConsole' } : { href: '/login', word: 'public.toSignIn' }

const otherLinks = [
  { href: '/support', word: 'nav.support' },
  { href: '/about', word: 'nav.about' },
]

type PublicLayoutProps = { path: string; title: string; subtitle?: string | undefined; children: ReactNode }

/** Frame of public pages: language and theme above, links to other public pages below. */
export function PublicLayout({ path, title, subtitle, children }: PublicLayoutProps) {
  const words = useWords()
  const app = words('app.title')
  useEffect(() => {
    document.title = `${title} · ${app}`
  }, [title, app])
  const footer = [wayOn(useShell().user() !== undefined), ...otherLinks]
    .filter(({ href }) => href !== path)
    .map(({ href, word }) => (
      <Link key={href} className="ui-link" href={href}>
        {words(word)}
      </Link>
    ))
  return (
    <PublicFrame
      brand={<Brand />}
      title={title}
      subtitle={subtitle}
      corner={
        <>
          <LanguageMenu />
          <ThemeMenu />
        </>
      }
      footer={<nav className="shell-public-links">{footer}</nav>}
    >
      {children}
    </PublicFrame>
  )
}
