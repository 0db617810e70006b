import { useConsole, useSay } from '#fields/definitions.tsx'
import { formatMoment } from '#fields/time/time-format.ts'
import type { ConnectAnswer } from '#schema/wire/connect.ts'
import { Card } from '#ui/layout/card.tsx'
import { CodeText } from '#ui/layout/code-text.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { framesUrl } from './commands-card.tsx'
import { connectWords } from './connect-words.ts'

const makesKey = ['device-key', 'next-key']

export type AddressCardProps = Pick<WidgetProps, 'resource' | 'record'> & { answer: ConnectAnswer }

/** Server address for the board, and the age of its key. */
export function AddressCard({ resource, record, answer: { uid, keyAt, keyUsedAt } }: AddressCardProps) {
  const sayLabel = useSay()
  const { language, zone } = useConsole()
  const actionContext = useActionContext()
  const offers = tabOffers({ parent: resource, record, target: resource, names: makesKey }, actionContext())
  const time = (at: string) => formatMoment(at, language, zone)
  const used = keyUsedAt ? sayLabel(connectWords.usedAt, { at: time(keyUsedAt) }) : sayLabel(connectWords.neverUsed)
  const items = [
    { key: 'address', label: sayLabel(connectWords.address), value: <CodeText text={framesUrl()} /> },
    { key: 'header', label: sayLabel(connectWords.header), value: <CodeText text="X-Device-Key" /> },
    { key: 'uid', label: sayLabel(connectWords.uid), value: <CodeText text={uid} /> },
    {
      key: 'key',
      label: sayLabel(connectWords.key),
      value: keyAt ? `${sayLabel(connectWords.madeAt, { at: time(keyAt) })}, ${used}` : sayLabel(connectWords.noKey),
    },
  ]
  return (
    <Card title={sayLabel(connectWords.how)} actions={<ActionButtons offers={offers} />}>
      <DescriptionList items={items} />
      <p className="connect-note">{sayLabel(connectWords.protocol)}</p>
    </Card>
  )
}
