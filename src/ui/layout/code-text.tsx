import { CopyButton } from '#ui/input/copy-button.tsx'

export type CodeTextProps = {
  text: string
  /** Shown instead of the text, which is what gets copied. */
  shown?: string | undefined
  copy?: boolean | undefined
}

/** A serial number, key or hash, with a button that copies all of it. */
export function CodeText({ text, shown, copy = true }: CodeTextProps) {
  return (
    <span className="ui-code">
      <code title={shown === undefined ? undefined : text}>{shown ?? text}</code>
      {copy && <CopyButton text={text} />}
    </span>
  )
}
