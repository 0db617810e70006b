import { useSay } from '#fields/definitions.tsx'
import type { ExportFile } from '#schema/wire/calls.ts'
import { Button } from '#ui/input/button.tsx'
import { useDownload } from '#views/shared/use-download.ts'
import { useViews } from '#views/shared/view-context.tsx'
import { caseWords } from './case-words.ts'

/** Saves a case file as an archive. */
export function ZipButton({ id }: { id: string }) {
  const { exportFile } = useViews()
  return exportFile ? <Saving id={id} exportFile={exportFile} /> : null
}

function Saving({ id, exportFile }: { id: string; exportFile: ExportFile }) {
  const sayLabel = useSay()
  const { isBusy, progress, save } = useDownload()
  const path = `case-file/${encodeURIComponent(id)}/zip`
  return (
    <Button
      icon="download"
      kind="primary"
      size="small"
      busy={isBusy}
      onClick={() => void save((way) => exportFile({ path, ...way }))}
    >
      {sayLabel(caseWords.download)}
      {progress}
    </Button>
  )
}
