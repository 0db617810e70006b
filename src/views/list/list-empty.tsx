import type { ReactNode } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Button } from '#ui/input/button.tsx'
import { viewWords } from '#views/shared/words.ts'

export type ListEmptyProps = {
  total: number
  hasConditions: boolean
  firstPageHref: string
  onClear: () => void
  /** Link to create the first record, where permitted. */
  create?: ReactNode
}

/** Why there are no rows, and the way on. */
export function ListEmpty({ total, hasConditions, firstPageHref, onClear, create }: ListEmptyProps) {
  const sayLabel = useSay()
  if (total > 0) {
    const back = <Button href={firstPageHref}>{sayLabel(viewWords.firstPage)}</Button>
    return <EmptyState title={sayLabel(viewWords.beyondTitle)} action={back} />
  }
  if (hasConditions) {
    const clear = <Button onClick={onClear}>{sayLabel(viewWords.clearFilters)}</Button>
    return <EmptyState title={sayLabel(viewWords.noMatchTitle)} text={sayLabel(viewWords.noMatchText)} action={clear} />
  }
  return <EmptyState icon="list" title={sayLabel(viewWords.emptyTitle)} text={sayLabel(viewWords.emptyText)} action={create} />
}
