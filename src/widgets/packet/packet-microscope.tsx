import { useMemo } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import './packet.css'
import { packetOf } from './packet-data.ts'
import { PacketPanes } from './packet-panes.tsx'
import { packetWords } from './packet-words.ts'

const about = [
  'controlPcbId',
  'essId',
  'receivedAt',
  'deviceTime',
  'clockSkewMs',
  'type',
  'seq',
  'gapBefore',
  'firmwareVersion',
  'transport',
  'sizeBytes',
  'decoderVersion',
  'reprocessedAt',
]

/** Raw packet view: bytes, decoded fields, and the reasons for doubts. */
export function PacketMicroscope({ resource, record }: WidgetProps) {
  const sayLabel = useSay()
  const packet = useMemo(() => packetOf(record), [record])
  const facts = about.flatMap((path) => {
    const field = resource.fields[path]
    return field
      ? [
          {
            key: path,
            label: sayLabel(field.label),
            value: <FieldDisplay field={field} path={path} row={record} place="record" />,
          },
        ]
      : []
  })
  const card = (
    <Card title={sayLabel(packetWords.about)}>
      <DescriptionList compact items={facts} />
    </Card>
  )
  if (!packet || packet.bytes.length === 0)
    return (
      <div className="packet">
        {packet ? <EmptyState icon="package" title={sayLabel(packetWords.empty)} /> : <Skeleton lines={8} height={20} />}
        {card}
      </div>
    )
  return (
    <div className="packet">
      {record.truncated === true && (
        <Banner tone="warn">{sayLabel(packetWords.truncated, { count: packet.bytes.length })}</Banner>
      )}
      <PacketPanes key={String(record.id)} {...{ resource, record, packet }}>
        {card}
      </PacketPanes>
    </div>
  )
}
