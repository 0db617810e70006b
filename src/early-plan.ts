import type { Role } from '#schema/roles.ts'

/** The code of the generated screens: a chunk of the console each. */
export type ScreenChunk = 'list' | 'show' | 'form'

/** First call of a page, and the roles that may make it. */
export type FirstCall = { url: string; roles: readonly Role[] }

/** Data of the inline script of the document, written by the build. */
export type EarlyPlan = {
  /** Tells a page kept by another build apart. */
  build: string
  languages: { inline: readonly string[]; further: readonly string[] }
  /**
   * Scripts of a signed-in start, of the sign-in page, of each screen on top of it, of the dashboard's parts by role, and of the calls
   * that the document does not make itself.
   */
  scripts: Readonly<
    Record<'console' | 'signIn' | 'dashboard' | 'clientView' | 'powerLines' | 'client' | ScreenChunk, readonly string[]>
  >
  /** By section of the address. The record's call holds `{id}`. */
  sections: Readonly<Record<string, { list?: FirstCall; record?: FirstCall }>>
}

/** Sections outside the definitions; they need none of the screens. */
const own = new Set(['', 'profile', 'filling', 'inbox', 'login', 'about', 'support'])

/** Screens that an address needs. */
export function screensOf(pathname: string): ScreenChunk[] {
  const [section = '', id, part] = pathname.split('/').filter(Boolean)
  if (own.has(section)) return []
  if (!id) return ['list']
  if (id === 'create' || part === 'edit') return ['form']
  // A tab of a record may be a list.
  return part ? ['show', 'list'] : ['show']
}
