import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment, formatRelative, formatUtc } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { updateWords } from './update-words.ts'

/** A future time with a countdown. */
export function TimeLeft({ at }: { at: string }) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const now = useNow()
  const time = formatMoment(at, language, zone)
  const words = Date.parse(at) > now ? updateWords.left : updateWords.passed
  return (
    <time dateTime={at} title={formatUtc(at)}>
      {sayLabel(words, { time, left: formatRelative(at, language, now) })}
    </time>
  )
}
