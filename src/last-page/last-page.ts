import { storageKeys } from '#providers/session/storage-keys.ts'
import { elementOf, type PageCopy } from './page-copy.ts'

export type Owner = { id: string; role: string }
/** Person and page of a copy: it is shown to nobody else and nowhere else. */
export type PageMark = { user: string; role: string; build: string; language: string; address: string; widthPx: number }
/** `at`: when it was copied, in epoch milliseconds. */
export type LastPage = PageMark & { at: number; copy: PageCopy }

/** An older copy would say of boards that are silent by now that they are online. */
const longestMs = 15 * 60_000

export const markOf = ({ id, role }: Owner, build: string, language: string): PageMark => ({
  user: id,
  role,
  build,
  language,
  address: location.pathname + location.search,
  widthPx: innerWidth,
})

function read(): LastPage | undefined {
  try {
    return JSON.parse(localStorage.getItem(storageKeys.lastPage) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}

function drop(): void {
  try {
    localStorage.removeItem(storageKeys.lastPage)
  } catch {}
}

const owned = ['user', 'role', 'build'] as const

/** The copy with this mark. A copy of another person, role or build is forgotten, and so is every copy without a session. */
export function lastPageFor(mark: PageMark | undefined): PageCopy | undefined {
  const last = read()
  if (!last) return undefined
  if (!mark || owned.some((fact) => last[fact] !== mark[fact])) {
    drop()
    return undefined
  }
  const isFresh = Date.now() - last.at < longestMs
  return isFresh && last.language === mark.language && last.address === mark.address && last.widthPx === mark.widthPx
    ? last.copy
    : undefined
}

/**
 * Puts the copy into the frame of the document, where it takes no clicks and no focus. It goes when the console has drawn
 * something, and when another tab has ended or changed the session.
 */
export function paintLastPage(copy: PageCopy, isStillOwn: () => boolean): void {
  const [host, frame] = [document.querySelector('#root'), document.querySelector('#frame')]
  if (!host || !frame) return
  const own = [...frame.childNodes]
  try {
    frame.replaceChildren(elementOf(copy))
  } catch {
    return drop()
  }
  frame.toggleAttribute('inert', true)
  frame.setAttribute('aria-busy', 'true')
  const end = () => {
    frame.replaceChildren(...own)
    frame.removeAttribute('inert')
    frame.removeAttribute('aria-busy')
    drawn.disconnect()
    removeEventListener('storage', handleStorage)
  }
  const handleStorage = () => isStillOwn() || end()
  const drawn = new MutationObserver(end)
  drawn.observe(host, { childList: true })
  addEventListener('storage', handleStorage)
}
