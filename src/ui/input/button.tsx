import { type ComponentPropsWithRef, type FocusEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Link } from '#ui/layout/link.tsx'
import { classes } from '#ui/theme/classes.ts'

export type ButtonKind = 'default' | 'primary' | 'text' | 'danger'
export type ButtonSize = 'small' | 'medium'

export type ButtonProps = Omit<ComponentPropsWithRef<'button'>, 'children'> & {
  kind?: ButtonKind | undefined
  size?: ButtonSize | undefined
  icon?: IconName | undefined
  iconEnd?: IconName | undefined
  /** Work in progress: keeps width and focus, ignores clicks. */
  busy?: boolean | undefined
  /** Renders a link that looks like a button. */
  href?: string | undefined
  /** Renders the caller's element with the look of the button. */
  render?: ((look: { className: string; children: ReactNode }) => ReactNode) | undefined
  children?: ReactNode
}

export function Button({
  kind = 'default',
  size = 'medium',
  icon,
  iconEnd,
  busy,
  href,
  render,
  children,
  ...rest
}: ButtonProps) {
  const { className, onClick, onFocus, onBlur, disabled, type = 'button', ...native } = rest
  const [hasFocus, setFocus] = useState(false)
  const iconOnly = (children === undefined || children === null) && Boolean(icon)
  const look = classes(
    'ui-button',
    `ui-button-kind-${kind}`,
    size === 'small' && 'ui-button-small',
    iconOnly && 'ui-button-icon',
    className,
  )
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {!iconOnly && <span className="ui-button-content">{children}</span>}
      {iconEnd && <Icon name={iconEnd} />}
      {busy && <span className="ui-button-busy" aria-hidden="true" />}
    </>
  )
  if (render) return render({ className: look, children: content })
  if (href !== undefined && !disabled) {
    const { id, title, 'aria-label': label, 'aria-describedby': describedBy } = native
    return (
      <Link href={href} className={look} id={id} title={title} aria-label={label} aria-describedby={describedBy}>
        {content}
      </Link>
    )
  }
  const isInert = busy || disabled
  const handleClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (isInert) event.preventDefault()
    else onClick?.(event)
  }
  const handleFocus = (event: FocusEvent<HTMLButtonElement>) => {
    setFocus(true)
    onFocus?.(event)
  }
  const handleBlur = (event: FocusEvent<HTMLButtonElement>) => {
    setFocus(false)
    onBlur?.(event)
  }
  return (
    <button
      {...native}
      type={type}
      className={look}
      // A browser takes the focus from a button that is disabled by its own press: it goes to the start of the page.
      disabled={disabled && !hasFocus}
      aria-busy={busy || undefined}
      aria-disabled={isInert || undefined}
      onClick={handleClick}
      onFocus={handleFocus}
      onBlur={handleBlur}
    >
      {content}
    </button>
  )
}
