import type { ReactNode } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'

export type EmptyStateProps = { title: ReactNode; text?: ReactNode; icon?: IconName | undefined; action?: ReactNode }

/** Stands where a list or page has nothing to show: title, reason, and the next step as `action`. */
export function EmptyState({ title, text, icon = 'search', action }: EmptyStateProps) {
  return (
    <div className="ui-state">
      <span className="ui-state-icon">
        <Icon name={icon} sizePx={22} />
      </span>
      <p className="ui-state-title">{title}</p>
      {text && <p className="ui-state-text">{text}</p>}
      {action && <div className="ui-state-action">{action}</div>}
    </div>
  )
}
