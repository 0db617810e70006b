import { lazy, Suspense, useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { LanguageMenu } from './language-menu.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { useWords } from './use-words.ts'
import { UserMenu } from './user-menu.tsx'

const Palette = lazy(() => import('./palette/palette.tsx').then((module) => ({ default: module.Palette })))

const isPaletteKey = (event: KeyboardEvent) => (event.ctrlKey || event.metaKey) && event.code === 'KeyK'

/** Ctrl+K or Cmd+K from anywhere. */
function usePaletteKey(onOpen: () => void) {
  useEffect(() => {
    const handleKeyDown = (event: KeyboardEvent) => {
      if (!isPaletteKey(event)) return
      event.preventDefault()
      onOpen()
    }
    window.addEventListener('keydown', handleKeyDown)
    return () => window.removeEventListener('keydown', handleKeyDown)
  }, [onOpen])
}

/** The bar above every page: the palette, language, theme, account. */
export function Header() {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const [open] = useState(() => () => setOpen(true))
  usePaletteKey(open)
  return (
    <>
      <Button kind="default" icon="search" className="shell-palette-button" aria-haspopup="dialog" onClick={open}>
        <span className="shell-palette-text">{words('palette.open')}</span> <Kbd>Ctrl K</Kbd>
      </Button>
      <div className="shell-header-end">
        <LanguageMenu />
        <ThemeMenu />
        <UserMenu />
      </div>
      {isOpen && (
        <Suspense>
          <Palette onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
