import { Spinner } from '#ui/feedback/spinner.tsx'
import { Overlay } from '#ui/overlay/overlay.tsx'
import { useWords } from './use-words.ts'

/** Covers the page while its token is expired; the page below stays mounted. */
export function TokenOverlay({ open }: { open: boolean }) {
  const words = useWords()
  const text = words('session.updating')
  return (
    <Overlay open={open} label={text}>
      <Spinner />
      <p>{text}</p>
    </Overlay>
  )
}
