import { useSay } from '#fields/definitions.tsx'
import type { Channel } from '#resources/fleet/channel-of.ts'
import { dayMs } from '#schema/format/durations.ts'
import { presentMs } from '#schema/format/present-time.ts'
import type { ExportFile } from '#schema/wire/calls.ts'
import type { TimeWindow } from '#ui/chart/chart-types.ts'
import { Menu } from '#ui/overlay/menu.tsx'
import { useDownload } from '#views/shared/use-download.ts'
import { useViews } from '#views/shared/view-context.tsx'
import { telemetryWords } from './telemetry-words.ts'
import type { Subject } from './use-series.ts'

export type ExportMenuProps = { subject: Subject; window: TimeWindow; channels: readonly Channel[] }

/** Retention of samples. */
const samplesMs = 60 * dayMs

/** Resolutions of the export, by the server's names. */
const rolledUp = [
  ['5m', telemetryWords.export5m],
  ['1h', telemetryWords.export1h],
  ['1d', telemetryWords.export1d],
  ['month', telemetryWords.exportMonth],
] as const

/** Exports the charts' data: every sample, or rows of 5 minutes to a month. */
export function ExportMenu(props: ExportMenuProps) {
  const { exportFile } = useViews()
  return exportFile ? <Exporting {...props} exportFile={exportFile} /> : null
}

function Exporting({ subject, window, channels, exportFile }: ExportMenuProps & { exportFile: ExportFile }) {
  const sayLabel = useSay()
  const { isBusy, progress, save } = useDownload()
  const saveAs = (resolution: string) => {
    const query = new URLSearchParams({ ...subject, resolution })
    query.set('from', String(window.fromMs))
    query.set('to', String(window.toMs))
    for (const channel of channels) query.append('channel', channel)
    void save((way) => exportFile({ path: `telemetry/export?${query}`, ...way }))
  }
  const isOld = window.fromMs < presentMs() - samplesMs
  return (
    <Menu
      label={sayLabel(telemetryWords.export)}
      text={`${sayLabel(telemetryWords.export)}${progress}`}
      icon="download"
      kind="default"
      size="small"
      busy={isBusy}
      items={[
        {
          key: 'samples',
          label: sayLabel(telemetryWords.exportSamples),
          hint: sayLabel(telemetryWords.exportSamplesHint),
          disabled: isOld,
          onSelect: () => saveAs('samples'),
        },
        ...rolledUp.map(([key, label]) => ({ key, label: sayLabel(label), onSelect: () => saveAs(key) })),
      ]}
    />
  )
}
