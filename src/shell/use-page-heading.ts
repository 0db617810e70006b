import { type RefObject, useEffect, useRef } from 'react'
import { usePathname } from './use-address.ts'

/** Tabs of a record count as one page: the heading must not take the focus from the selected tab. */
export function pageOf(pathname: string): string {
  const [section = '', id = '', part = ''] = pathname.split('/').slice(1)
  return [section, id, part === 'edit' ? part : ''].join('/')
}

/** "ESS-000142 · ESS · ESS console", without repetitions. */
export const documentTitle = (parts: readonly (string | null | undefined)[]): string =>
  [...new Set(parts.map((part) => part?.trim()).filter(Boolean))].join(' · ')

type Heading = { content: RefObject<HTMLElement | null>; section: string | undefined; app: string }

/**
 * Makes the page's heading the document title and focuses it after navigation, so that a screen reader announces the page.
 * Pages load their records first, hence the observer.
 */
export function usePageHeading({ content, section, app }: Heading): void {
  const pathname = usePathname()
  const page = pageOf(pathname)
  const focused = useRef(page)

  useEffect(() => {
    const host = content.current
    if (!host) return
    const settle = () => {
      const heading = host.querySelector('h1')
      const title = documentTitle([heading?.textContent, section, app])
      if (document.title !== title) document.title = title
      if (!heading || focused.current === page) return
      focused.current = page
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    settle()
    const observer = new MutationObserver(settle)
    observer.observe(host, { childList: true, subtree: true, characterData: true })
    // A page may set the title itself; missing parts are appended.
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [content, page, section, app])
}
