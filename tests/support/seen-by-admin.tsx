import type { ReactNode } from 'react'
import { DefinitionsProvider } from '#fields/definitions.tsx'
import type { Definitions } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'

/** A part of a screen as an admin sees it in English, for tests that need no routes and no data. */
export const seenByAdmin = (definitions: Definitions, part: ReactNode) => (
  <DefinitionsProvider
    definitions={definitions}
    permissions={permissionsFor(definitions, 'admin')}
    viewer={{ id: 'u1', role: 'admin' }}
    language="en"
    zone={undefined}
  >
    {part}
  </DefinitionsProvider>
)
