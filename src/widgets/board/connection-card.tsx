import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { formatDay } from '#fields/time/time-format.ts'
import { useNow } from '#fields/time/use-now.ts'
import { dayMs } from '#schema/format/durations.ts'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'
import { boardWords } from './board-words.ts'

const paths = [
  'connection.state',
  'connection.cause',
  'connection.lastPacketAt',
  'connection.lastValidPacketAt',
  'connection.lastSampleAt',
  'connection.transport',
  'connection.rssiDbm',
  'connection.ip',
  'clockOffsetMs',
  'board.uptimeS',
  'board.rebootCount',
  'board.lastResetReason',
  'board.supplyMv',
  'board.boardTempC',
  'board.freeHeapB',
]

/** The moment that a clock shows which is a day off or more: the number of milliseconds says little. */
function useClockText({ clockOffsetMs }: Row): string | undefined {
  const sayLabel = useSay()
  const { language } = useConsole()
  const nowMs = useNow()
  if (typeof clockOffsetMs !== 'number' || Math.abs(clockOffsetMs) < dayMs) return undefined
  const shown = new Date(nowMs + clockOffsetMs).toISOString()
  return sayLabel(boardWords.clockShows, { moment: formatDay(shown.slice(0, 10), language) })
}

/** Connection state of the board, its cause, and the board's own condition. */
export function ConnectionCard(about: Pick<WidgetProps, 'resource' | 'record' | 'isPartial'>) {
  const sayLabel = useSay()
  const facts = useFacts(about)
  const clock = useClockText(about.record)
  const items = facts(paths).map((item) => (clock && item.key === 'clockOffsetMs' ? { ...item, value: clock } : item))
  return (
    <Card title={sayLabel(boardWords.connection)}>
      <DescriptionList items={items} />
    </Card>
  )
}
