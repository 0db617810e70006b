import type { ReactNode } from 'react'
import { classes } from '#ui/theme/classes.ts'

export type CardProps = {
  title?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  /** No padding: for a table or list. */
  flush?: boolean | undefined
  id?: string | undefined
  children: ReactNode
}

export function Card({ title, actions, footer, flush, id, children }: CardProps) {
  return (
    <section className="ui-card" id={id}>
      {(title || actions) && (
        <header className="ui-card-head">
          {title && <h2 className="ui-card-title">{title}</h2>}
          {actions && <div className="ui-actions">{actions}</div>}
        </header>
      )}
      <div className={classes('ui-card-body', flush && 'ui-card-flush')}>{children}</div>
      {footer && <footer className="ui-card-foot">{footer}</footer>}
    </section>
  )
}
