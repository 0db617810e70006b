import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment, formatRelative, formatUtc } from '#fields/time/time-format.ts'
import { clampedNow, useNow } from '#fields/time/use-now.ts'
import { Tag } from '#ui/feedback/tag.tsx'
import { energyWords } from './energy-words.ts'

/** Time and age of the displayed values, marked when stale. */
export function DataTime({ at, stale }: { at: string | null; stale: boolean }) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const nowMs = useNow()
  if (at === null) return <span className="energy-time">{sayLabel(energyWords.never)}</span>
  const time = formatMoment(at, language, zone, 'medium')
  return (
    <span className="energy-time">
      <time dateTime={at} title={formatUtc(at)}>
        {sayLabel(energyWords.measured, { time })}
      </time>
      {' · '}
      {formatRelative(at, language, clampedNow(Date.parse(at), nowMs))}
      {stale && <Tag tone="warn">{sayLabel(energyWords.stale)}</Tag>}
    </span>
  )
}
