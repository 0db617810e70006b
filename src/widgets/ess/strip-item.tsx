import type { ReactNode } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Label } from '#schema/words.ts'

/** A labelled value of a strip. */
export function StripItem({ label, children }: { label: Label; children: ReactNode }) {
  return (
    <li>
      <span className="ess-strip-label">{useSay()(label)}</span>
      {children}
    </li>
  )
}
