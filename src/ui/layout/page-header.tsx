import type { ReactNode } from 'react'
import { IconButton } from '#ui/input/icon-button.tsx'

export type PageHeaderProps = {
  title: ReactNode
  subtitle?: ReactNode
  /** A word or tag beside the title. */
  status?: ReactNode
  back?: { href: string; label: string } | undefined
  breadcrumbs?: ReactNode
  actions?: ReactNode
}

/** The header of a page: its h1 and its actions. */
export function PageHeader({ title, subtitle, status, back, breadcrumbs, actions }: PageHeaderProps) {
  return (
    <header className="ui-page-head">
      {breadcrumbs}
      <div className="ui-page-head-row">
        {back && <IconButton icon="arrow-left" label={back.label} href={back.href} />}
        <div className="ui-page-head-text">
          <div className="ui-page-head-title">
            <h1>{title}</h1>
            {status}
          </div>
          {subtitle && <p>{subtitle}</p>}
        </div>
        {actions && <div className="ui-actions">{actions}</div>}
      </div>
    </header>
  )
}
