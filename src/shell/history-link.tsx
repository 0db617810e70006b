import type { MouseEvent } from 'react'
import type { LinkProps } from '#ui/layout/link.tsx'
import { useHistory } from './use-address.ts'

const isPlainClick = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey && !event.defaultPrevented

/** Only console paths navigate without a page load: no other origin, no file, no API. */
const isOurs = (href: string) => href.startsWith('/') && !href.startsWith('//') && !href.startsWith('/api/')

/** The kit's links, navigating through the console's history. */
export function HistoryLink({ replace, href, target, download, onClick, children, ...anchor }: LinkProps) {
  const history = useHistory()
  const handleClick = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!isPlainClick(event) || !isOurs(href) || download !== undefined || (target && target !== '_self')) return
    event.preventDefault()
    const { pathname, search, hash } = history.getEntry()
    if (replace || href === pathname + search + hash) history.replace(href)
    else history.push(href)
  }
  return (
    <a {...anchor} href={href} target={target} download={download} onClick={handleClick}>
      {children}
    </a>
  )
}
