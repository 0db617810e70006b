import type { ReactNode } from 'react'

export type FormGridProps = { children: ReactNode; columns?: 1 | 2 | undefined }

export function FormGrid({ children, columns = 2 }: FormGridProps) {
  return <div className={`ui-form-grid ui-form-grid-${columns}`}>{children}</div>
}
