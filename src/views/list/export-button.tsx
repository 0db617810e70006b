import { useMay, useSay } from '#fields/definitions.tsx'
import type { ScreenState } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { ExportList } from '#schema/wire/calls.ts'
import { Button } from '#ui/input/button.tsx'
import { useNarrow } from '#ui/layout/use-narrow.ts'
import { listWords } from '#views/shared/list-words.ts'
import { useDownload } from '#views/shared/use-download.ts'
import { useViews } from '#views/shared/view-context.tsx'
import type { ListSource } from './refine-query.ts'

export type ExportButtonProps = {
  resource: AnyResource
  asked: Pick<ScreenState, 'filters' | 'sort' | 'q'>
  source?: ListSource | undefined
  columns: readonly string[]
}

/**
 * Exports all rows with the visible columns; requires permission to list. A list below a record can be exported by all who see
 * it.
 */
export function ExportButton({ source, ...list }: ExportButtonProps) {
  const may = useMay()
  const { exportList } = useViews()
  const mayExport = source?.from !== undefined || may(list.resource.name, 'list')
  return exportList && mayExport ? <Export {...list} source={source} exportList={exportList} /> : null
}

function Export({ resource, asked, source, columns, exportList }: ExportButtonProps & { exportList: ExportList }) {
  const sayLabel = useSay()
  const { isBusy, progress, save } = useDownload()
  const text = sayLabel(listWords.export)
  // On a phone the filters and the `end` slot share a row.
  const narrow = useNarrow()
  const name = narrow ? text : undefined
  const filters = [...(source?.fixed ?? []), ...asked.filters]
  const request = { list: source?.from ?? resource.name, filters, sort: asked.sort, q: asked.q.trim(), columns }
  return (
    <Button
      aria-label={name}
      title={name}
      kind="text"
      icon="download"
      busy={isBusy}
      onClick={() => void save((way) => exportList({ ...request, ...way }))}
    >
      {narrow ? progress || undefined : `${text}${progress}`}
    </Button>
  )
}
