import type { FieldControl } from './form-field.tsx'

/** A secret to copy: it is never truncated, and focus selects all of it. */
export function SecretText({ text, control }: { text: string; control: FieldControl }) {
  const { status: _, ...native } = control
  return (
    <textarea
      {...native}
      className="ui-secret"
      readOnly
      rows={Math.ceil(text.length / 32)}
      spellCheck={false}
      value={text}
      onFocus={({ target }) => target.select()}
    />
  )
}
