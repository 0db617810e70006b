import type { ReactNode } from 'react'
import { useViewer } from '#fields/definitions.tsx'
import { ForbiddenScreen } from './errors/message-screens.tsx'
import { ownPages } from './own-pages.ts'

/** Renders a shell page for the roles that have it; other roles do not mount it. */
export function OwnPage({ page, children }: { page: string; children: ReactNode }) {
  const { role } = useViewer()
  const isOpen = ownPages.some(({ key, roles }) => key === page && roles.includes(role))
  return isOpen ? children : <ForbiddenScreen />
}
