import { useSay } from '#fields/definitions.tsx'
import { valueAt } from '#schema/rule.ts'
import { Card } from '#ui/layout/card.tsx'
import { DescriptionList } from '#ui/layout/description-list.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useFacts } from '#widgets/use-facts.tsx'
import { boardWords } from './board-words.ts'

const always = ['config.state', 'config.desiredVersion', 'config.reportedVersion']
/** Additional facts by state. */
const inState: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['config.requestedAt'],
  REJECTED: ['config.rejectReason', 'config.requestedAt'],
}

export function ConfigurationCard(about: Pick<WidgetProps, 'resource' | 'record' | 'isPartial'>) {
  const sayLabel = useSay()
  const facts = useFacts(about)
  const state = String(valueAt(about.record, 'config.state'))
  return (
    <Card
      title={sayLabel(boardWords.configuration)}
      footer={
        <Link className="ui-link" href={recordPath(about.resource, String(about.record.id), 'configuration')}>
          {sayLabel(boardWords.compare)}
        </Link>
      }
    >
      <DescriptionList compact items={facts([...always, ...(inState[state] ?? [])])} />
    </Card>
  )
}
