import { useSay } from '#fields/definitions.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { recordPath } from '#views/shared/paths.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { TimeLeft } from '#widgets/update/time-left.tsx'
import { boardWords } from './board-words.ts'

const stops = ['stop-capture']

/** Note on a running packet capture: its end, and a link to the packets. */
export function CaptureNote({ resource, record }: Pick<WidgetProps, 'resource' | 'record'>) {
  const sayLabel = useSay()
  const actionContext = useActionContext()
  const { capturingUntil } = record
  if (typeof capturingUntil !== 'string') return null
  const offers = tabOffers({ parent: resource, record, target: resource, names: stops }, actionContext())
  const href = recordPath(resource, String(record.id), 'package-control')
  return (
    <Banner
      action={
        <>
          <Button href={href}>{sayLabel(boardWords.packets)}</Button>
          <ActionButtons offers={offers} />
        </>
      }
    >
      {sayLabel(boardWords.capturing)} <TimeLeft at={capturingUntil} />
    </Banner>
  )
}
