import { parseRecord } from '#providers/session/session-record.ts'
import type { SessionStore } from '#providers/session/session-store.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { type LastPage, markOf } from './last-page.ts'
import { copyPage } from './page-copy.ts'

/** A larger page is redrawn: reading it back would take as long. */
const mostCharacters = 32_000

type KeepOptions = {
  session: Pick<SessionStore, 'getSnapshot'>
  storage: Pick<Storage, 'getItem' | 'setItem'>
  language: () => string
  /** Hash of the build. */
  build: string
  /** Sections of the address that are lists. */
  sections: ReadonlySet<string>
}

/** The console while its page is a list with rows that are there, none of them selected. */
function shownList(): Element | undefined {
  const frame = document.querySelector('#root > .ui-frame')
  const rows = frame?.querySelector('main .view-list .ui-grid:not([aria-busy]) tbody')
  return frame && rows?.querySelector('td[data-kept]') && !rows.querySelector('[data-selected]') ? frame : undefined
}

/**
 * Keeps a copy of the list on screen for the next visit of the same person, written when the page is left or hidden. Only
 * cells of fields whose type may be kept have their text in it. A list with conditions, whose words may name people, is
 * not copied.
 */
export function keepLastPage({ session, storage, language, build, sections }: KeepOptions): void {
  const keep = () => {
    const { session: current, conflict, expired } = session.getSnapshot()
    // Another tab may have ended the session.
    const stored = parseRecord(storage.getItem(storageKeys.session))?.session?.user
    const isOwn = current && stored?.id === current.user.id && stored.role === current.user.role && !conflict && !expired
    const isPlain = location.search === '' && sections.has(location.pathname.slice(1))
    const frame = isOwn && isPlain ? shownList() : undefined
    if (!frame || !current) return
    const page: LastPage = { ...markOf(current.user, build, language()), at: Date.now(), copy: copyPage(frame) }
    const text = JSON.stringify(page)
    if (text.length > mostCharacters) return
    try {
      storage.setItem(storageKeys.lastPage, text)
    } catch {
      // The storage is full: the next visit begins without a copy.
    }
  }
  // Leaving the page hides it, too: a second listener to that would copy all of it twice.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && keep())
}
