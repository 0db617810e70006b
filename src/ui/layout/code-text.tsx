import { CopyButton } from '#ui/input/copy-button.tsx'

export type CodeTextProps = {
  text: string
  /** Displayed in place of the text; the button still copies the full text. */
  shown?: string | undefined
  copy?: boolean | undefined
}

export function CodeText({ text, shown, copy = true }: CodeTextProps) {
  return (
    <span className="ui-code">
      <code title={shown === undefined ? undefined : text}>{shown ?? text}</code>
      {copy && <CopyButton text={text} />}
    </span>
  )
}
