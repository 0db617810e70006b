import { type ReactNode, useEffect } from 'react'
import { Brand } from '#shell/brand.tsx'
import { LanguageMenu } from '#shell/menu/language-menu.tsx'
import { ThemeMenu } from '#shell/menu/theme-menu.tsx'
import { useWords } from '#shell/use-words.ts'
import { Link } from '#ui/layout/link.tsx'
import { PublicFrame } from '#ui/layout/public-frame.tsx'

const footerLinks = [
  { href: '/login', word: 'public.toSignIn' },
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
  const footer = footerLinks
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
