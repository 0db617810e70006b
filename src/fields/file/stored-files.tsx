import '#schema/later/action-forms.ts'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { InputProps } from '#fields/field-kind.ts'
import { inputWords } from '#fields/input-words.ts'
import { type FileFacts, mostFiles, type StoredFile, usualFileBytes } from '#schema/files.ts'
import { acceptWords, formatLimit } from '#schema/format/file-words.ts'
import { formatBytes } from '#schema/format/format.ts'
import { type Language, say } from '#schema/words.ts'
import { Button } from '#ui/input/button.tsx'
import { FilePick } from '#ui/input/file-pick.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { fileInputWords } from './file-input-words.ts'
import { FilePreview } from './file-preview.tsx'
import { PendingUpload } from './pending-upload.ts'
import { filesOf } from './record-files.tsx'
import { useFileCalls } from './record-place.ts'
import { type Sending, useUpload } from './use-upload.ts'
import './files.css'

/** The limits of a field, shown before a file is chosen: `PDF, PNG, up to 10.0 MB each, at most 4 files`. */
function limitsOf({ accept = '', maxBytes = usualFileBytes }: FileFacts, most: number | undefined, language: Language): string {
  const kinds = acceptWords(accept, language)
  const sized = most === undefined ? fileInputWords.oneUpTo : fileInputWords.upTo
  const number = most === undefined ? [] : [say(fileInputWords.most, language, { max: most })]
  return [...(kinds === '' ? [] : [kinds]), say(sized, language, { size: formatLimit(maxBytes, language) }), ...number].join(
    ', ',
  )
}

/** One or several files: each is uploaded when chosen, and attached to the record when the form is saved. */
export function StoredFiles({ field, path, value, onChange, control, record }: InputProps<'file' | 'files'>) {
  const sayLabel = useSay()
  const language = useLanguage()
  const calls = useFileCalls(path)
  const isSeveral = field.type === 'files'
  const most = field.type === 'files' ? (field.maxItems ?? mostFiles) : 1
  const files = filesOf(value instanceof PendingUpload ? value.before : value)
  const valueWith = (next: readonly StoredFile[]) => (isSeveral ? (next.length > 0 ? next : null) : (next[0] ?? null))
  const upload = useUpload(
    { field, room: most - files.length, name: path, address: calls.upload, value, onChange },
    (before, file) => valueWith([...filesOf(before), file]),
  )
  const { sending, refused, contents } = upload
  const isSending = sending !== undefined && sending.fault === undefined
  const remove = (file: StoredFile) => onChange(valueWith(files.filter(({ id }) => id !== file.id)))
  return (
    <>
      {files.length > 0 && (
        <ul className="field-files">
          {files.map((file) => (
            <FileRow
              key={file.id}
              file={file}
              content={contents[file.id]}
              address={calls.download(record.id, isSeveral ? file.id : undefined)}
              disabled={control.disabled || isSending}
              onRemove={() => remove(file)}
            />
          ))}
        </ul>
      )}
      {sending && (
        <SendingRow
          sending={sending}
          onStop={upload.stop}
          onRetry={() => void upload.send([sending.file, ...(sending.rest ?? [])])}
        />
      )}
      {refused.map(({ file, fault }) => (
        <span key={`${file.name} ${file.size}`} className="ui-field-error" role="alert">
          {`${file.name}: ${fault}`}
        </span>
      ))}
      {!isSending && files.length < most && (
        <>
          <FilePick {...control} accept={field.accept} multiple={isSeveral} onPick={(picked) => void upload.choose(picked)} />
          <p className="ui-field-hint">{limitsOf(field, isSeveral ? most : undefined, language)}</p>
        </>
      )}
      {isSeveral && files.length >= most && <p className="ui-field-hint">{sayLabel(inputWords.filesTaken, { max: most })}</p>}
    </>
  )
}

type FileRowProps = Parameters<typeof FilePreview>[0] & { disabled: boolean | undefined; onRemove: () => void }

function FileRow({ file, disabled, onRemove, ...preview }: FileRowProps) {
  const sayLabel = useSay()
  const language = useLanguage()
  return (
    <li className="ui-file">
      <FilePreview file={file} {...preview} />
      <span className="ui-file-name">{file.name}</span>
      <span className="ui-file-size">{formatBytes(file.sizeBytes, language)}</span>
      <IconButton
        icon="close"
        size="small"
        label={sayLabel(inputWords.fileRemove, { name: file.name })}
        disabled={disabled}
        onClick={onRemove}
      />
    </li>
  )
}

type SendingRowProps = { sending: Sending; onStop: () => void; onRetry: () => void }

function SendingRow({ sending: { file, percent, fault }, onStop, onRetry }: SendingRowProps) {
  const sayLabel = useSay()
  const text = sayLabel(inputWords.fileSending, { name: file.name, percent })
  if (fault !== undefined)
    return (
      <div className="field-file">
        <span className="ui-field-error" role="alert">
          {`${file.name}: ${fault}`}
        </span>
        <Button size="small" onClick={onRetry}>
          {sayLabel(inputWords.fileRetry)}
        </Button>
      </div>
    )
  return (
    <div className="field-file">
      <span className="ui-file-name">{text}</span>
      <progress className="field-file-progress" max={100} value={percent} aria-label={text} />
      <Button size="small" onClick={onStop}>
        {sayLabel(inputWords.fileStop)}
      </Button>
    </div>
  )
}
