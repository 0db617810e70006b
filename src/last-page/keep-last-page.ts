import { parseRecord } from '#providers/session/session-record.ts'
import type { SessionStore } from '#providers/session/session-store.ts'
import { storageKeys } from '#providers/session/storage-keys.ts'
import { whenIdle } from '#ui/layout/when-idle.ts'
import { type LastPage, markOf } from './last-page.ts'
import { copyPage, type PageCopy } from './page-copy.ts'

/** A larger page is redrawn: reading it back would take as long. */
const mostCharacters = 32_000
/** Debounce: the cells of a page change together. */
const settleMs = 300
/** Throttle: on a living fleet some cell changes each second. */
const betweenCopiesMs = 15_000

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
  return frame && rows?.querySelector('[data-kept]') && !rows.querySelector('[data-selected]') ? frame : undefined
}

/**
 * A copy of the list on screen that is ready before it is asked for: copying takes long enough to hold up the page that comes
 * next. It is made in an idle moment after a change, and at once when it is asked for sooner.
 */
function readyCopy(frameOf: () => Element | undefined): { copyOf: (frame: Element) => PageCopy; stop: () => void } {
  let ready: { copy: PageCopy; size: string } | undefined
  const windowSize = () => `${innerWidth} ${innerHeight}`
  let isScheduled = false
  let lastAt = Number.NEGATIVE_INFINITY
  const prepare = (frame: Element) => {
    lastAt = performance.now()
    ready = { copy: copyPage(frame), size: windowSize() }
    return ready
  }
  const prepareIdle = () => {
    isScheduled = false
    const frame = document.visibilityState === 'visible' && !ready ? frameOf() : undefined
    if (frame) prepare(frame)
  }
  const handleChange = () => {
    ready = undefined
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => whenIdle(prepareIdle), Math.max(settleMs, lastAt + betweenCopiesMs - performance.now()))
  }
  const changes = new MutationObserver(handleChange)
  changes.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
  handleChange()
  const copyOf = (frame: Element) => {
    if (changes.takeRecords().length > 0 || ready?.size !== windowSize()) ready = undefined
    return (ready ?? prepare(frame)).copy
  }
  return { copyOf, stop: () => changes.disconnect() }
}

/**
 * Keeps a copy of the list on screen for the next visit of the same person, written when the page is left or hidden. Only
 * cells of fields whose type may be kept have their text in it. A list with conditions, whose words may name people, is
 * not copied. Returns a function that ends it.
 */
export function keepLastPage({ session, storage, language, build, sections }: KeepOptions): () => void {
  const listFrame = () => (location.search === '' && sections.has(location.pathname.slice(1)) ? shownList() : undefined)
  const { copyOf, stop } = readyCopy(listFrame)
  const keep = () => {
    const { session: current, conflict, expired } = session.getSnapshot()
    // Another tab may have ended the session.
    const stored = parseRecord(storage.getItem(storageKeys.session))?.session?.user
    const isOwn = current && stored?.id === current.user.id && stored.role === current.user.role && !conflict && !expired
    const frame = isOwn ? listFrame() : undefined
    if (!frame || !current) return
    const page: LastPage = { ...markOf(current.user, build, language()), at: Date.now(), copy: copyOf(frame) }
    const text = JSON.stringify(page)
    if (text.length > mostCharacters) return
    try {
      storage.setItem(storageKeys.lastPage, text)
    } catch {
      // The storage is full: the next visit begins without a copy.
    }
  }
  // Leaving the page hides it, too: a second listener to that would copy all of it twice.
  const handleVisibility = () => document.visibilityState === 'hidden' && keep()
  document.addEventListener('visibilitychange', handleVisibility)
  return () => {
    stop()
    document.removeEventListener('visibilitychange', handleVisibility)
  }
}
