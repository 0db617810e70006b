import type { MouseEvent, ReactNode, Ref } from 'react'
import { type To, useHref, useNavigate } from 'react-router'

export {
  matchPath,
  Navigate,
  Outlet,
  UNSAFE_NavigationContext,
  useLocation,
  useNavigate,
  useParams,
} from 'react-router'

type LinkProps = {
  to: To
  replace?: boolean
  target?: string
  onClick?: (event: MouseEvent<HTMLAnchorElement>) => void
  children?: ReactNode
  ref?: Ref<HTMLAnchorElement>
}

const isPlainClick = ({ button, metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  button === 0 && !metaKey && !altKey && !ctrlKey && !shiftKey

/** A link that is followed without a reload; with a modifier key or a target it is the browser's. */
export function Link({ to, replace = false, target, onClick, ...rest }: LinkProps) {
  const href = useHref(to)
  const navigate = useNavigate()
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event) || (target && target !== '_self')) return
    event.preventDefault()
    navigate(to, { replace })
  }
  return <a {...rest} href={href} target={target} onClick={follow} />
}
