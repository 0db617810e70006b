import { useMay, useSay } from '#fields/definitions.tsx'
import type { Sort } from '#schema/list-query.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Button } from '#ui/input/button.tsx'
import type { ListSource } from '#views/list/refine-query.ts'
import type { Selection } from '#views/list/use-selection.ts'
import { useDownload } from '#views/shared/use-download.ts'
import { useViews } from '#views/shared/view-context.tsx'
import { bulkWords } from './bulk-words.ts'

/** Limit of the ids in the address of the call: servers take 16 KB of it. A larger selection is exported as the filtered list. */
const mostExported = 250

type ExportSelectionProps = {
  resource: AnyResource
  selection: Selection
  source: ListSource | undefined
  columns: readonly string[]
  sort: readonly Sort[]
}

/** Saves the selected rows, in the order and with the columns on screen. */
export function ExportSelection({ resource, selection, source, columns, sort }: ExportSelectionProps) {
  const sayLabel = useSay()
  const may = useMay()
  const { exportList } = useViews()
  const { isBusy, progress, save } = useDownload()
  const isAllowed = source?.from !== undefined || may(resource.name, 'list')
  if (!exportList || !isAllowed || selection.keys.size > mostExported) return null
  const filters = [...(source?.fixed ?? []), { field: 'id', op: 'eq' as const, values: [...selection.keys] }]
  const request = { list: source?.from ?? resource.name, filters, sort, q: '', columns }
  return (
    <Button
      size="small"
      kind="text"
      icon="download"
      busy={isBusy}
      onClick={() => void save((way) => exportList({ ...request, ...way }))}
    >
      {`${sayLabel(bulkWords.export)}${progress}`}
    </Button>
  )
}
