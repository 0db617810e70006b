import { useEffect, useRef, useState } from 'react'
import { useLanguage, useMay, useSay } from '#fields/definitions.tsx'
import { pathOf } from '#schema/definition.ts'
import { formatBytes } from '#schema/format.ts'
import type { ScreenState } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Button } from '#ui/button.tsx'
import type { ListSource } from './refine-query.ts'
import { saveFile } from './save-file.ts'
import { type ExportList, useViews } from './view-context.tsx'
import { viewWords } from './words.ts'

export type ExportButtonProps = {
  resource: AnyResource
  asked: Pick<ScreenState, 'filters' | 'sort' | 'q'>
  source?: ListSource | undefined
  columns: readonly string[]
}

/** Saves all rows of the list, with the columns on screen; for those who may list. Whoever sees a list below a record may. */
export function ExportButton({ source, ...list }: ExportButtonProps) {
  const may = useMay()
  const { exportList } = useViews()
  const mayExport = source?.from ? true : may(list.resource.name, 'list') && pathOf(list.resource, 'list') !== undefined
  return exportList && mayExport ? <Export {...list} source={source} exportList={exportList} /> : null
}

function Export({ resource, asked, source, columns, exportList }: ExportButtonProps & { exportList: ExportList }) {
  const sayLabel = useSay()
  const language = useLanguage()
  const [bytes, setBytes] = useState<number>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const save = async () => {
    const control = new AbortController()
    running.current = control
    setBytes(0)
    const filters = [...(source?.fixed ?? []), ...asked.filters]
    const { sort, q } = asked
    const { signal } = control
    try {
      const request = { list: source?.from ?? resource.name, filters, sort, q: q.trim(), columns, signal, onProgress: setBytes }
      const { name, content } = await exportList(request)
      if (!signal.aborted) saveFile(name, content)
    } catch {
      // The client of the API has announced it.
    } finally {
      setBytes(undefined)
    }
  }
  return (
    <Button kind="text" icon="download" busy={bytes !== undefined} onClick={() => void save()}>
      {sayLabel(viewWords.export)}
      {bytes ? ` · ${formatBytes(bytes, language)}` : ''}
    </Button>
  )
}
