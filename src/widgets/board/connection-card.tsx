import { useSay } from '#fields/definitions.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'
import { boardWords } from './board-words.ts'
import { useClockText } from './use-clock-text.ts'

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

/** Connection state of the board, its cause, and the board's own condition. */
export function ConnectionCard(about: Pick<WidgetProps, 'resource' | 'record' | 'isPartial'>) {
  const sayLabel = useSay()
  const facts = useFacts(about)
  const clock = useClockText(about.record.clockOffsetMs)
  const items = facts(paths).map((item) => (clock && item.key === 'clockOffsetMs' ? { ...item, value: clock } : item))
  return (
    <Card title={sayLabel(boardWords.connection)}>
      <DescriptionList items={items} />
    </Card>
  )
}
