import { Suspense, useMemo } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { journalPartOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import type { GridColumn } from '#ui/grid/data-grid-types.ts'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { viewWords } from '#views/shared/words.ts'

const JournalWord = lazyCode(() => import('./record-changes.tsx').then((module) => ({ default: module.JournalWord })))
const RecordChanges = lazyCode(() => import('./record-changes.tsx').then((module) => ({ default: module.RecordChanges })))

/** Columns of a journal in words: action, subject, reason and changes. Columns of other lists are unchanged. */
export function useJournalColumns(resource: AnyResource, columns: GridColumn<Row>[]): GridColumn<Row>[] {
  const { journal } = resource
  const sayLabel = useSay()
  return useMemo(() => {
    if (!journal) return columns
    const inWords = columns.map((column): GridColumn<Row> => {
      const part = journalPartOf(resource, column.key)
      return part
        ? { ...column, kept: false, cell: (row) => <Suspense>{<JournalWord {...{ part, journal, row }} />}</Suspense> }
        : column
    })
    const changes: GridColumn<Row> = {
      key: 'changes',
      header: sayLabel(viewWords.changes),
      wrap: true,
      cell: (row) => (
        <Suspense fallback={<Skeleton width={160} />}>
          <RecordChanges journal={journal} row={row} />
        </Suspense>
      ),
    }
    return [...inWords, changes]
  }, [resource, journal, columns, sayLabel])
}
