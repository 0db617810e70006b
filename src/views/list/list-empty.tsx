import type { ReactNode } from 'react'
import { useDefinitions, useMay, useSay } from '#fields/definitions.tsx'
import type { EmptyList } from '#schema/facts/empty-facts.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Button } from '#ui/input/button.tsx'
import { listWords } from '#views/shared/list-words.ts'
import { listPath } from '#views/shared/paths.ts'

export type ListEmptyProps = {
  total: number
  hasConditions: boolean
  firstPageHref: string
  onClear: () => void
  /** Texts of the list's definition. */
  words?: EmptyList | undefined
  /** Link to create the first record, where permitted. */
  create?: ReactNode
}

/** Explains why there are no rows and offers the next step. */
export function ListEmpty({ total, hasConditions, firstPageHref, onClear, words, create }: ListEmptyProps) {
  const sayLabel = useSay()
  const may = useMay()
  const definitions = useDefinitions()
  if (total > 0) {
    const back = <Button href={firstPageHref}>{sayLabel(listWords.firstPage)}</Button>
    return <EmptyState title={sayLabel(listWords.beyondTitle)} action={back} />
  }
  if (hasConditions) {
    const clear = <Button onClick={onClear}>{sayLabel(listWords.clearFilters)}</Button>
    return <EmptyState title={sayLabel(listWords.noMatchTitle)} text={sayLabel(listWords.noMatchText)} action={clear} />
  }
  const { title = listWords.emptyTitle, text = listWords.emptyText, first, sendsTo = '' } = words ?? {}
  const target = may(sendsTo, 'list') && definitions.get(sendsTo)
  const way = target && <Button href={listPath(target)}>{sayLabel(target.label.many)}</Button>
  return (
    <EmptyState
      icon="list"
      title={sayLabel(title)}
      text={[text, ...(create && first ? [first] : [])].map((label) => sayLabel(label)).join(' ')}
      action={create || way}
    />
  )
}
