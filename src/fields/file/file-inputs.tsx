import { Suspense } from 'react'
import { useLanguage, useSay } from '#fields/definitions.tsx'
import type { InputKind, InputProps } from '#fields/field-kind.ts'
import { inputWords } from '#fields/input-words.ts'
import { formatBytes } from '#schema/format/format.ts'
import { UploadInput } from '#ui/antd/lazy-antd.ts'
import { ControlSkeleton } from '#ui/input/control-skeleton.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'

const StoredFiles = lazyCode(() => import('./stored-files.tsx').then((module) => ({ default: module.StoredFiles })))

/** A file that is part of the form's request body: it is uploaded on submit. */
function Carried({ field, value, onChange, control }: InputProps<'file'>) {
  const sayLabel = useSay()
  const language = useLanguage()
  const file = value instanceof File ? value : undefined
  const isTooBig = file !== undefined && field.maxBytes !== undefined && file.size > field.maxBytes
  return (
    <>
      <UploadInput {...control} accept={field.accept} value={file} onChange={(next) => onChange(next ?? null)} />
      {isTooBig && (
        <span className="ui-field-error" role="alert">
          {sayLabel(inputWords.fileTooBig, { max: formatBytes(field.maxBytes ?? 0, language) })}
        </span>
      )}
    </>
  )
}

const Stored = (props: InputProps<'file' | 'files'>) => (
  <Suspense fallback={<ControlSkeleton />}>
    <StoredFiles {...props} />
  </Suspense>
)

const OneFile = (props: InputProps<'file'>) => (props.field.sent === 'alone' ? <Carried {...props} /> : <Stored {...props} />)

export const fileInputs = {
  file: { Input: OneFile },
  files: { Input: Stored },
} satisfies { file: InputKind<'file'>; files: InputKind<'files'> }
