import { useSay } from '#fields/definitions.tsx'
import { fillingWords } from './filling-words.ts'
import type { Running } from './import/use-import.ts'

/** Upload progress, then a note that the server is working. */
export function RunningNote({ running: { kind, share } }: { running: Running }) {
  const sayLabel = useSay()
  const isSending = share > 0 && share < 1
  const working = sayLabel(kind === 'check' ? fillingWords.checking : fillingWords.importing)
  const text = isSending ? sayLabel(fillingWords.sending, { percent: Math.round(share * 100) }) : working
  return (
    <span className="filling-running" role="status">
      <progress aria-label={text} {...(isSending ? { value: share, max: 1 } : {})} />
      <span className="dash-note">{text}</span>
    </span>
  )
}
