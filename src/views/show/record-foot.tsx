import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { formatMoment, formatUtc } from '#fields/time/time-format.ts'
import type { Label } from '#schema/words.ts'
import { lateWords } from './late-words.ts'

export function RecordFoot({ record }: { record: Row }) {
  const sayLabel = useSay()
  const { version, createdAt, updatedAt } = record
  return (
    <p className="view-foot">
      {typeof version === 'number' && <span>{sayLabel(lateWords.version, { version })}</span>}
      {typeof createdAt === 'string' && <Moment words={lateWords.createdAt} value={createdAt} />}
      {typeof updatedAt === 'string' && <Moment words={lateWords.updatedAt} value={updatedAt} />}
    </p>
  )
}

function Moment({ words, value }: { words: Label; value: string }) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  return (
    <time dateTime={value} title={formatUtc(value)}>
      {sayLabel(words, { time: formatMoment(value, language, zone) })}
    </time>
  )
}
