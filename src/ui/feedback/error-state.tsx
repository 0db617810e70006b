import type { ReactNode } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'

export type ErrorStateProps = {
  title: ReactNode
  subtitle?: ReactNode
  icon?: IconName | undefined
  action?: ReactNode
  /** Renders the title as the page's heading, when it is the only content. */
  asPage?: boolean | undefined
}

/** An error, announced at once. */
export function ErrorState({ title, subtitle, icon = 'warning', action, asPage }: ErrorStateProps) {
  const Title = asPage ? 'h1' : 'p'
  return (
    <div className={asPage ? 'ui-state ui-state-page' : 'ui-state'} role="alert">
      <span className="ui-state-icon ui-tone-bad">
        <Icon name={icon} sizePx={22} />
      </span>
      <Title className="ui-state-title">{title}</Title>
      {subtitle && <p className="ui-state-text">{subtitle}</p>}
      {action && <div className="ui-state-action">{action}</div>}
    </div>
  )
}
