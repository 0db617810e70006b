import { Suspense } from 'react'
import { useLanguage } from '#fields/definitions.tsx'
import type { DisplayProps, FieldIn, FieldKind, Wording } from '#fields/field-kind.ts'
import { formatBytes } from '#schema/format/format.ts'
import { valueAt } from '#schema/rule.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'

type FileType = 'file' | 'files'

/** Enough hash digits to tell two files apart. */
const hashLetters = 12

/** Name and size; values in the history show the hash instead. */
function oneText(value: unknown, { language }: Wording): string {
  const [name, size, hash] = ['name', 'sizeBytes', 'sha256'].map((key) => valueAt(value, key))
  if (typeof size === 'number') return `${name ?? ''} (${formatBytes(size, language)})`.trim()
  return [name, typeof hash === 'string' ? hash.slice(0, hashLetters) : undefined].filter(Boolean).join(' · ')
}

const fileText = (_field: FieldIn<FileType>, value: unknown, wording: Wording): string =>
  (Array.isArray(value) ? value : [value]).map((file) => oneText(file, wording)).join(', ')

const RecordFiles = lazyCode(() => import('./record-files.tsx').then((module) => ({ default: module.RecordFiles })))

function Files(props: DisplayProps<FileType>) {
  const text = <span className="field-text">{fileText(props.field, props.value, { language: useLanguage() })}</span>
  if (props.place !== 'record' || typeof props.row.id !== 'string') return text
  return (
    <Suspense fallback={text}>
      <RecordFiles {...props} />
    </Suspense>
  )
}

export const fileKinds = {
  file: { Display: Files, toText: fileText },
  files: { Display: Files, toText: fileText },
} satisfies { [T in FileType]: FieldKind<T> }
