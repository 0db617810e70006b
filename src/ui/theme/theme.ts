import { useSyncExternalStore } from 'react'
import type { ThemeName } from './tokens.ts'

/** The chosen theme; `system` follows the browser live. */
export type ThemeChoice = ThemeName | 'system'

/** Storage key of the choice; an inline script in the page's head may read it before the first paint. */
export const themeStorageKey = 'theme'

const systemDark = () => window.matchMedia('(prefers-color-scheme: dark)')

const isThemeName = (value: unknown): value is ThemeName => value === 'light' || value === 'dark'

function readChoice(): ThemeChoice {
  const value = document.documentElement.dataset.theme
  return isThemeName(value) ? value : 'system'
}

function readTheme(): ThemeName {
  const choice = readChoice()
  if (choice !== 'system') return choice
  return systemDark().matches ? 'dark' : 'light'
}

function subscribe(onChange: () => void): () => void {
  const query = systemDark()
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  query.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    query.removeEventListener('change', onChange)
  }
}

/** The current theme and the choice behind it. */
export function useTheme(): { theme: ThemeName; choice: ThemeChoice } {
  const theme = useSyncExternalStore(subscribe, readTheme)
  const choice = useSyncExternalStore(subscribe, readChoice)
  return { theme, choice }
}

function applyTheme(choice: ThemeChoice) {
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
}

/** Sets a fixed theme, or follows the system, and stores the choice on this device. */
export function setTheme(choice: ThemeChoice) {
  applyTheme(choice)
  try {
    if (choice === 'system') localStorage.removeItem(themeStorageKey)
    else localStorage.setItem(themeStorageKey, choice)
  } catch {
    // Storage may be blocked: the choice then lasts until the page is closed.
  }
}

/** Restores the choice stored on this device. */
export function restoreTheme() {
  try {
    const kept = localStorage.getItem(themeStorageKey)
    if (isThemeName(kept)) applyTheme(kept)
  } catch {
    // Storage may be blocked: follow the system.
  }
}
