import { type MouseEvent, useEffect, useState } from 'react'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

export type CopyButtonProps = {
  text: string
  /** Text of the button; without it the button is an icon. */
  children?: string | undefined
}

const saidMs = 1500

const icons = { copy: 'copy', copied: 'check', notCopied: 'warning' } as const

/** Copies a text and says briefly how that went. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const words = useUiWords()
  const [said, setSaid] = useState<keyof typeof icons>('copy')
  useEffect(() => {
    if (said === 'copy') return
    const timer = setTimeout(() => setSaid('copy'), saidMs)
    return () => clearTimeout(timer)
  }, [said])
  const handleCopy = async ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    const isCopied = await (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => true,
      async () => (await import('#ui/feedback/copy-selected.ts')).copySelected(text, currentTarget),
    )
    setSaid(isCopied ? 'copied' : 'notCopied')
  }
  const icon = icons[said]
  if (children === undefined) return <IconButton icon={icon} size="small" label={words[said]} onClick={handleCopy} />
  return (
    <Button kind="text" size="small" icon={icon} onClick={handleCopy}>
      {said === 'copy' ? children : words[said]}
    </Button>
  )
}
