import type { ReactNode } from 'react'

export type ToolbarProps = { children: ReactNode; end?: ReactNode }

/** The row of controls above a list: wraps on narrow screens; `end` is aligned to the end. */
export function Toolbar({ children, end }: ToolbarProps) {
  return (
    <div className="ui-toolbar">
      <div className="ui-toolbar-start">{children}</div>
      {end && <div className="ui-toolbar-end">{end}</div>}
    </div>
  )
}
