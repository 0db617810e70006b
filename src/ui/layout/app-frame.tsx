import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '#ui/input/icon-button.tsx'
import { classes } from '#ui/theme/classes.ts'
import { useUiWords } from '#ui/theme/ui-words.tsx'

export type AppFrameProps = {
  brand: ReactNode
  sidebar: ReactNode
  /** At the foot of the sidebar: version, environment. */
  sidebarFoot?: ReactNode
  header: ReactNode
  /** Above the content, in full width. */
  banner?: ReactNode
  /** Changes with the page: the sidebar drawer of a narrow screen closes. */
  pageKey: string
  children: ReactNode
}

/** Sidebar, header, content. Below 900 px the sidebar is a drawer. */
export function AppFrame({ brand, sidebar, sidebarFoot, header, banner, pageKey, children }: AppFrameProps) {
  const words = useUiWords()
  const [openFor, setOpenFor] = useState<string>()
  const isOpen = openFor === pageKey
  const aside = useRef<HTMLElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpenFor(undefined)
    opener.current?.focus()
  }
  useEffect(() => {
    if (!isOpen) return
    aside.current?.querySelector<HTMLElement>('nav a')?.focus()
    // A screen that is turned may have room for the sidebar: left open, the drawer would keep the content inert.
    const wide = window.matchMedia('(min-width: 900px)')
    const shut = () => setOpenFor(undefined)
    wide.addEventListener('change', shut)
    return () => wide.removeEventListener('change', shut)
  }, [isOpen])
  const handleKeyDown = (event: KeyboardEvent) => {
    if (isOpen && event.key === 'Escape') close()
  }
  // A link to the current page changes no page key.
  const handleClick = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest('a')) setOpenFor(undefined)
  }
  return (
    <div className={classes('ui-frame', isOpen && 'ui-frame-open')}>
      <a className="ui-skip" href="#content">
        {words.skipToContent}
      </a>
      <aside className="ui-side" ref={aside} onClick={handleClick} onKeyDown={handleKeyDown} aria-label={words.mainMenu}>
        <div className="ui-side-head">
          {brand}
          <span className="ui-side-close">
            <IconButton icon="close" label={words.closeMenu} onClick={close} />
          </span>
        </div>
        <div className="ui-side-body">{sidebar}</div>
        {sidebarFoot && <div className="ui-side-foot">{sidebarFoot}</div>}
      </aside>
      <div className="ui-scrim" aria-hidden="true" onClick={close} />
      <div className="ui-main" inert={isOpen}>
        <header className="ui-top">
          <span className="ui-side-open">
            <IconButton
              ref={opener}
              icon="menu"
              label={words.openMenu}
              aria-expanded={isOpen}
              onClick={() => setOpenFor(pageKey)}
            />
          </span>
          {header}
        </header>
        {banner}
        <main id="content" className="ui-content" tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}
