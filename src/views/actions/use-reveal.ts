import '#schema/later/action-forms.ts'
import { useState } from 'react'
import { valueAt } from '#schema/rule.ts'
import type { ActionOffer } from './action-offer.ts'

/** Holds a secret in an action's answer until it has been shown; it is kept nowhere else. */
export function useReveal({ action: { reveals } }: ActionOffer) {
  const [secret, setSecret] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  return {
    shown: reveals && secret !== undefined ? { reveals, secret, open: isOpen } : undefined,
    take: (answer: unknown) => {
      const value = reveals && valueAt(answer, reveals.value)
      if (typeof value === 'string') setSecret(value)
    },
    /** Called after the first dialog has closed and restored the focus, so that this one restores it to the same element. */
    show: () => setOpen(true),
    close: () => setOpen(false),
    forget: () => setSecret(undefined),
  }
}
