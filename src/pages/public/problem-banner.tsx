import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'

/** Error of a request, on a page without another place for it. */
export function ProblemBanner({ message, note }: { message: string | undefined; note?: string | undefined }) {
  const words = useWords()
  if (!message) return null
  return (
    <Banner tone="bad">
      <strong>{words('errors.oops')}</strong>
      <p>{message}</p>
      {note && <p>{note}</p>}
    </Banner>
  )
}
