import { useEffect, useState } from 'react'
import { keepFocus } from '#ui/overlay/keep-focus.ts'
import { isElsewhere, isHelp } from './key-of.ts'
import { KeySheet } from './key-sheet.tsx'
import { onAskedForKeys } from './page-keys.ts'

/** Keyboard support of every page: the overview of keys, by the question mark or from the account menu, and a focus that stays. */
export function KeyHelp() {
  useEffect(keepFocus, [])
  const [opened, setOpened] = useState(0)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = () => {
      setOpened((count) => count + 1)
      setOpen(true)
    }
    const handleKey = (event: KeyboardEvent) => {
      if (isElsewhere(event) || !isHelp(event)) return
      event.preventDefault()
      open()
    }
    document.addEventListener('keydown', handleKey)
    const stop = onAskedForKeys(open)
    return () => {
      document.removeEventListener('keydown', handleKey)
      stop()
    }
  }, [])
  return opened === 0 ? null : <KeySheet key={opened} open={isOpen} onClose={() => setOpen(false)} />
}
