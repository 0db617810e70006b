import { useUiWords } from '#ui/theme/ui-words.tsx'

export type SpinnerProps = { sizePx?: number | undefined; label?: string | undefined }

/** A spinner announced as "Loading…". */
export function Spinner({ sizePx = 20, label }: SpinnerProps) {
  const words = useUiWords()
  return (
    <span className="ui-spinner" role="status" style={{ width: sizePx, height: sizePx }}>
      <span className="ui-hidden">{label ?? words.loading}</span>
    </span>
  )
}
