import type { ReactNode } from 'react'

export type PublicFrameProps = {
  brand: ReactNode
  title: ReactNode
  subtitle?: ReactNode
  /** Top corner: language, theme. */
  corner?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

/** The page frame before sign-in: one centred card. */
export function PublicFrame({ brand, title, subtitle, corner, footer, children }: PublicFrameProps) {
  return (
    <div className="ui-public">
      {corner && <div className="ui-public-corner">{corner}</div>}
      <main className="ui-public-main">
        <div className="ui-public-brand">{brand}</div>
        <div className="ui-public-card">
          <h1>{title}</h1>
          {subtitle && <p className="ui-public-subtitle">{subtitle}</p>}
          {children}
        </div>
        {footer && <footer className="ui-public-foot">{footer}</footer>}
      </main>
    </div>
  )
}
