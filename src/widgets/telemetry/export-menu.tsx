import { useEffect, useRef, useState } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { formatBytes } from '#schema/format.ts'
import type { Channel } from '#schema/telemetry/channel-facts.ts'
import type { TimeWindow } from '#ui/chart/chart-types.ts'
import { Menu } from '#ui/menu.tsx'
import { saveFile } from '#views/save-file.ts'
import { type ExportFile, useViews } from '#views/view-context.tsx'
import { telemetryWords } from './telemetry-words.ts'
import type { Subject } from './use-series.ts'

export type ExportMenuProps = { subject: Subject; window: TimeWindow; channels: readonly Channel[] }

/** Samples are not kept for longer. */
const samplesMs = 60 * 86_400_000

/** Saves what is on screen as a file: every sample, or rows of some minutes. */
export function ExportMenu(props: ExportMenuProps) {
  const { exportFile } = useViews()
  return exportFile ? <Exporting {...props} exportFile={exportFile} /> : null
}

function Exporting({ subject, window, channels, exportFile }: ExportMenuProps & { exportFile: ExportFile }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const [bytes, setBytes] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const save = async (resolution: string) => {
    const control = new AbortController()
    running.current = control
    setBytes(0)
    const query = new URLSearchParams({ ...subject, resolution })
    query.set('from', String(window.fromMs))
    query.set('to', String(window.toMs))
    for (const channel of channels) query.append('channel', channel)
    try {
      const path = `telemetry/export?${query}`
      const { name, content } = await exportFile({ path, signal: control.signal, onProgress: setBytes })
      if (!control.signal.aborted) saveFile(name, content)
    } catch {
      // The client of the API has announced it.
    } finally {
      setBytes(undefined)
    }
  }
  const isOld = window.fromMs < Date.now() - samplesMs
  const text = bytes ? `${sayLabel(telemetryWords.export)} · ${formatBytes(bytes, language)}` : sayLabel(telemetryWords.export)
  return (
    <Menu
      label={sayLabel(telemetryWords.export)}
      text={text}
      icon="download"
      kind="default"
      size="small"
      busy={bytes !== undefined}
      items={[
        {
          key: 'samples',
          label: sayLabel(telemetryWords.exportSamples),
          hint: sayLabel(telemetryWords.exportSamplesHint),
          disabled: isOld,
          onSelect: () => void save('samples'),
        },
        { key: '5m', label: sayLabel(telemetryWords.export5m), onSelect: () => void save('5m') },
        { key: '1h', label: sayLabel(telemetryWords.export1h), onSelect: () => void save('1h') },
      ]}
    />
  )
}
