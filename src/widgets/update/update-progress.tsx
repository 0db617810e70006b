import { useConsole, useSay } from '#fields/definitions.tsx'
import { FieldDisplay } from '#fields/field-display.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Meter } from '#ui/chart/meter.tsx'
import { UpdateWait } from './update-wait.tsx'
import './update.css'

export function UpdateProgress({ resource, record }: { resource: AnyResource; record: Row }) {
  const sayLabel = useSay()
  const { language } = useConsole()
  const { status, progressPct } = resource.fields
  const share = typeof record.progressPct === 'number' ? record.progressPct : 0
  if (!status || !progressPct) return null
  const state = status.type === 'status' ? status.states[String(record.status)] : undefined
  // What has ended badly is no progress any more.
  const tone = state?.tone === 'bad' ? 'bad' : 'info'
  return (
    <div className="update-progress">
      <p>
        <FieldDisplay field={status} path="status" row={record} place="record" />
        <span>
          {sayLabel(progressPct.label)}: {fieldText(progressPct, share, { language })}
        </span>
      </p>
      <Meter
        isProgress
        value={share}
        tone={tone}
        label={sayLabel(progressPct.label)}
        text={fieldText(progressPct, share, { language })}
      />
      <UpdateWait resource={resource} record={record} />
    </div>
  )
}
