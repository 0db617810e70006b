import { useDataProvider } from '@refinedev/core'
import { useEffect, useState } from 'react'
import { hasPreview, type StoredFile } from '#schema/files.ts'
import { Icon } from '#ui/icon/icon.tsx'

export type FilePreviewProps = {
  file: StoredFile
  /** The bytes, when this browser has just uploaded them. */
  content?: Blob | undefined
  address: string | undefined
}

/** Preview of a raster image; an icon for any other file. A failed download falls back to the icon. */
export function FilePreview({ file, content, address }: FilePreviewProps) {
  const [source, setSource] = useState<string>()
  const dataProvider = useDataProvider()
  const isPicture = hasPreview(file.type)
  useEffect(() => {
    if (!isPicture) return
    const abort = new AbortController()
    let shown: string | undefined
    const show = (picture: Blob) => {
      if (abort.signal.aborted) return
      shown = URL.createObjectURL(picture)
      setSource(shown)
    }
    const meta = { file: true, quiet: true, queryContext: { signal: abort.signal } }
    if (content) show(content)
    else if (address)
      void dataProvider()
        .custom?.<Blob & { id?: string }>({ url: address, method: 'get', meta: meta as never })
        .then(({ data }) => show(data))
        .catch(() => undefined)
    return () => {
      abort.abort()
      if (shown) URL.revokeObjectURL(shown)
      setSource(undefined)
    }
  }, [address, content, dataProvider, isPicture])
  if (source) return <img className="field-file-picture" src={source} alt={file.name} />
  return <Icon name="file" />
}
