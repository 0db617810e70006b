import { useDataProvider } from '@refinedev/core'
import { useState } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { DisplayProps } from '#fields/field-kind.ts'
import type { StoredFile } from '#schema/files.ts'
import { formatBytes } from '#schema/format/format.ts'
import { Button } from '#ui/input/button.tsx'
import { saveFile } from '#ui/input/save-file.ts'
import { FilePreview } from './file-preview.tsx'
import { fileWords } from './file-words.ts'
import { useFileCalls } from './record-place.ts'
import './files.css'

export const filesOf = (value: unknown): StoredFile[] => (Array.isArray(value) ? value : value ? [value as StoredFile] : [])

/** The files of a record, each with a preview and a download. */
export function RecordFiles({ field, path, value, row }: DisplayProps<'file' | 'files'>) {
  const calls = useFileCalls(path)
  return (
    <ul className="field-files">
      {filesOf(value).map((file) => (
        <li key={file.id ?? file.name} className="field-file">
          <RecordFile file={file} address={calls.download(row.id, field.type === 'files' ? file.id : undefined)} />
        </li>
      ))}
    </ul>
  )
}

function RecordFile({ file, address }: { file: StoredFile; address: string | undefined }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const dataProvider = useDataProvider()
  const [isBusy, setBusy] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const download = async (url: string) => {
    setBusy(true)
    setFailed(false)
    try {
      const { data } =
        (await dataProvider().custom?.<Blob & { id?: string }>({ url, method: 'get', meta: { file: true, quiet: true } })) ?? {}
      if (data) saveFile(file.name, data)
    } catch {
      setFailed(true)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <FilePreview file={file} address={address} />
      <span className="field-file-name">{file.name}</span>
      <span className="field-file-size">{formatBytes(file.sizeBytes, language)}</span>
      {address && (
        <Button
          size="small"
          kind="text"
          icon="download"
          busy={isBusy}
          aria-label={sayLabel(fileWords.download, { name: file.name })}
          onClick={() => void download(address)}
        />
      )}
      {hasFailed && (
        <span className="ui-field-error" role="alert">
          {sayLabel(fileWords.downloadFailed)}
        </span>
      )}
    </>
  )
}
