import { useEffect, useState } from 'react'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'

export type CopyButtonProps = {
  text: string
  /** Text of the button; without it the button is an icon. */
  children?: string | undefined
}

const saidMs = 1500

/** Copies a text and confirms it briefly. */
export function CopyButton({ text, children }: CopyButtonProps) {
  const words = useUiWords()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), saidMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const handleCopy = () => {
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  }
  const icon = isCopied ? 'check' : 'copy'
  if (children === undefined)
    return <IconButton icon={icon} size="small" label={isCopied ? words.copied : words.copy} onClick={handleCopy} />
  return (
    <Button kind="text" size="small" icon={icon} onClick={handleCopy}>
      {isCopied ? words.copied : children}
    </Button>
  )
}
