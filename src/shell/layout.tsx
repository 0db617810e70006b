import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useDefinitions, useSay } from '#fields/definitions.tsx'
import { routeOf } from '#schema/definition.ts'
import { AppFrame } from '#ui/layout/app-frame.tsx'
import { lazyWhenIdle } from '#ui/layout/when-idle.ts'
import { Brand } from './brand.tsx'
import { Header } from './header.tsx'
import { MainMenu } from './menu/main-menu.tsx'
import { sectionKeyOf } from './menu/menu-items.ts'
import { useHistory, usePathname } from './use-address.ts'
import { pageOf, usePageHeading } from './use-page-heading.ts'
import { useWords } from './use-words.ts'

const PrintHead = lazyWhenIdle<object>(() => import('./print-head.tsx').then((module) => ({ default: module.PrintHead })))
const KeyHelp = lazyWhenIdle<object>(() => import('#views/keys/key-help.tsx').then((module) => ({ default: module.KeyHelp })))

type LayoutProps = {
  notices: ReactNode
  /** A menu link has hover or focus: a hint to preload. */
  onMenuIntent?: (() => void) | undefined
  children: ReactNode
}

function useSectionLabel(pathname: string): string | undefined {
  const definitions = useDefinitions()
  const sayLabel = useSay()
  const key = sectionKeyOf(pathname)
  const resource = [...definitions.values()].find((each) => routeOf(each) === key)
  return resource && sayLabel(resource.label.many)
}

/** A new page starts at its top; for Back and Forward the browser restores the scroll position. */
function useScrollReset(pathname: string) {
  const history = useHistory()
  const page = pageOf(pathname)
  const last = useRef(page)
  useEffect(() => {
    if (last.current === page) return
    last.current = page
    if (history.getStep() !== 'POP') window.scrollTo(0, 0)
  }, [page, history])
}

/** The frame of the console around every page of a session. */
export function Layout({ notices, onMenuIntent, children }: LayoutProps) {
  const words = useWords()
  const pathname = usePathname()
  const content = useRef<HTMLDivElement>(null)
  usePageHeading({ content, section: useSectionLabel(pathname), app: words('app.title') })
  useScrollReset(pathname)
  return (
    <AppFrame
      brand={<Brand />}
      sidebar={<MainMenu onIntent={onMenuIntent} />}
      header={<Header />}
      banner={notices}
      pageKey={pathname}
    >
      <Suspense fallback={null}>
        <PrintHead />
        <KeyHelp />
      </Suspense>
      <div ref={content} className="shell-content">
        {children}
      </div>
    </AppFrame>
  )
}
