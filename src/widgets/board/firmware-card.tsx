import { useList } from '@refinedev/core'
import { useConsole, useSay } from '#fields/definitions.tsx'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { Link } from '#ui/layout/link.tsx'
import { ActionButtons } from '#views/actions/action-buttons.tsx'
import { tabOffers } from '#views/actions/action-offer.ts'
import { useActionContext } from '#views/actions/use-action-context.ts'
import { crudFilters } from '#views/list/refine-query.ts'
import { recordPath } from '#views/shared/paths.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { UpdateProgress } from '#widgets/update/update-progress.tsx'
import { useFacts } from '#widgets/use-facts.tsx'
import { boardWords } from './board-words.ts'

const paths = ['firmware.currentVersion', 'firmware.previousVersion', 'firmware.bootloaderVersion', 'firmware.reportedAt']

const requests = ['request-update']

/** The open update of a board; there is at most one. */
function useOpenUpdate(controlPcbId: string, isWanted: boolean) {
  const { query } = useList({
    resource: 'firmware-update',
    filters: crudFilters(
      [
        { field: 'controlPcbId', op: 'eq', values: [controlPcbId] },
        { field: 'finishedAt', op: 'null', values: [true] },
      ],
      '',
    ),
    pagination: { currentPage: 1, pageSize: 1, mode: 'server' },
    errorNotification: false,
    queryOptions: { enabled: isWanted },
  })
  return query.data?.data[0]
}

export function FirmwareCard(about: Pick<WidgetProps, 'resource' | 'record' | 'isPartial'>) {
  const sayLabel = useSay()
  const { definitions } = useConsole()
  const facts = useFacts(about)
  const id = String(about.record.id)
  const updates = definitions.get('firmware-update')
  const update = useOpenUpdate(id, updates !== undefined)
  const actionContext = useActionContext()
  const place = { parent: about.resource, record: about.record, target: about.resource, names: requests }
  const offers = tabOffers(place, actionContext())
  return (
    <Card
      title={sayLabel(boardWords.firmware)}
      actions={<ActionButtons offers={offers} />}
      footer={
        <Link className="ui-link" href={recordPath(about.resource, id, 'firmware-updates')}>
          {sayLabel(boardWords.updates)}
        </Link>
      }
    >
      <DescriptionList compact items={facts(paths)} />
      {updates && update && (
        <div className="board-update">
          <h3>
            <Link className="ui-link" href={recordPath(updates, String(update.id))}>
              {sayLabel(boardWords.openUpdate)}: {String(update.toVersion)}
            </Link>
          </h3>
          <UpdateProgress resource={updates} record={update} />
        </div>
      )}
    </Card>
  )
}
