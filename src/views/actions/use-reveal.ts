import '#schema/later/action-forms.ts'
import { useState } from 'react'
import { valueAt } from '#schema/rule.ts'
import type { ActionOffer } from './action-offer.ts'

/** A secret in the answer of an action, from the moment that it comes until it has been shown; nothing else keeps it. */
export function useReveal({ action: { reveals } }: ActionOffer) {
  const [secret, setSecret] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  return {
    shown: reveals && secret !== undefined ? { reveals, secret, open: isOpen } : undefined,
    take: (answer: unknown) => {
      const value = reveals && valueAt(answer, reveals.value)
      if (typeof value === 'string') setSecret(value)
    },
    /** Not before the dialog that asked has closed and given the focus back: this one gives it back to the same place. */
    show: () => setOpen(true),
    close: () => setOpen(false),
    forget: () => setSecret(undefined),
  }
}
