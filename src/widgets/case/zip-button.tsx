import { useEffect, useRef, useState } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import { formatBytes } from '#schema/format.ts'
import { Button } from '#ui/button.tsx'
import { saveFile } from '#views/save-file.ts'
import { type ExportFile, useViews } from '#views/view-context.tsx'
import { caseWords } from './case-words.ts'

/** Saves a case file as an archive. */
export function ZipButton({ id }: { id: string }) {
  const { exportFile } = useViews()
  return exportFile ? <Saving id={id} exportFile={exportFile} /> : null
}

function Saving({ id, exportFile }: { id: string; exportFile: ExportFile }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const [bytes, setBytes] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const save = async () => {
    const control = new AbortController()
    running.current = control
    const { signal } = control
    setBytes(0)
    try {
      const path = `case-file/${encodeURIComponent(id)}/zip`
      const { name, content } = await exportFile({ path, signal, onProgress: setBytes })
      if (!signal.aborted) saveFile(name, content)
    } catch {
      // The client of the API has announced it.
    } finally {
      setBytes(undefined)
    }
  }
  return (
    <Button icon="download" kind="primary" size="small" busy={bytes !== undefined} onClick={() => void save()}>
      {sayLabel(caseWords.download)}
      {bytes ? ` · ${formatBytes(bytes, language)}` : ''}
    </Button>
  )
}
