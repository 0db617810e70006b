import { useConsole, useMay, useSay } from '#fields/definitions.tsx'
import { Card } from '#ui/layout/card.tsx'
import { Link } from '#ui/layout/link.tsx'
import { recordPath } from '#views/shared/paths.ts'
import type { WidgetProps } from '#views/shared/view-context.tsx'
import { useOpenWarnings, WarningRows } from '#widgets/warning/warning-rows.tsx'
import { boardWords } from './board-words.ts'

export function WarningsCard({ resource, record }: Pick<WidgetProps, 'resource' | 'record'>) {
  const sayLabel = useSay()
  const may = useMay()
  const warnings = useConsole().definitions.get('telemetry-warning')
  const id = String(record.id)
  const isAllowed = warnings !== undefined && may('telemetry-warning', 'list')
  const { rows } = useOpenWarnings('controlPcbId', id, isAllowed)
  if (!isAllowed) return null
  return (
    <Card
      title={sayLabel(boardWords.warnings)}
      footer={
        <Link className="ui-link" href={recordPath(resource, id, 'telemetry-warnings')}>
          {sayLabel(boardWords.allWarnings)}
        </Link>
      }
    >
      {rows && rows.length > 0 ? (
        <WarningRows resource={warnings} rows={rows} />
      ) : (
        <p>{rows && sayLabel(boardWords.noWarnings)}</p>
      )}
    </Card>
  )
}
