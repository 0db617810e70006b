import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'

/** A refused call on a page that has nothing else to show it with. */
export function ProblemBanner({ message }: { message: string | undefined }) {
  const words = useWords()
  if (!message) return null
  return (
    <Banner tone="bad">
      <strong>{words('errors.oops')}</strong>
      <p>{message}</p>
    </Banner>
  )
}
