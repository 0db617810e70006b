import { type ReactNode, useEffect } from 'react'
import { useConsole } from '#fields/definitions.tsx'
import { startPages } from '#schema/roles.ts'
import { ForbiddenScreen } from './errors/message-screens.tsx'
import { pagesFor } from './own-pages.ts'
import { useHistory, usePathname } from './use-address.ts'

/** Renders a shell page for those who are offered it; for others it does not mount. */
export function OwnPage({ page, children }: { page: string; children: ReactNode }) {
  const { viewer, permissions } = useConsole()
  const isOpen = pagesFor(viewer.role, permissions).some(({ key }) => key === page)
  // Nobody is led to a page after sign-in that is not offered.
  const pathname = usePathname()
  const isLedHere = !isOpen && startPages[viewer.role] === pathname
  const history = useHistory()
  useEffect(() => {
    if (isLedHere) history.replace('/')
  }, [isLedHere, history])
  return isOpen ? children : <ForbiddenScreen />
}
