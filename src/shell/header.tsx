import { type ComponentType, useEffect, useState } from 'react'
import { Button } from '#ui/input/button.tsx'
import { Kbd } from '#ui/layout/kbd.tsx'
import { whenIdle } from '#ui/layout/when-idle.ts'
import { LanguageMenu } from './menu/language-menu.tsx'
import { ThemeMenu } from './menu/theme-menu.tsx'
import { UserMenu } from './menu/user-menu.tsx'
import { useWords } from './use-words.ts'

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

type PaletteComponent = ComponentType<{ onClose: () => void }>

/**
 * The palette, preloaded while idle: keys typed right after its shortcut must reach it. A lazy component would appear a third
 * of a second later, even when loaded.
 */
function usePalette(isOpen: boolean): PaletteComponent | undefined {
  const [palette, setPalette] = useState<PaletteComponent>()
  useEffect(() => {
    // A failed preload is repeated on the next opening.
    const load = () => {
      import('./palette/palette.tsx').then((module) => setPalette(() => module.Palette)).catch(() => undefined)
    }
    if (!isOpen) return whenIdle(load)
    load()
    return undefined
  }, [isOpen])
  return palette
}

/** The bar above every page: palette, language, theme, account. */
export function Header() {
  const words = useWords()
  const [isOpen, setOpen] = useState(false)
  const [open] = useState(() => () => setOpen(true))
  usePaletteKey(open)
  const Palette = usePalette(isOpen)
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
      {isOpen && Palette && <Palette onClose={() => setOpen(false)} />}
    </>
  )
}
