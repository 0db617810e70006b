import { type ReactNode, useEffect } from 'react'
import { useDefinitions, useMay, useSay } from '#fields/definitions.tsx'
import type { EmptyList } from '#schema/facts/empty-facts.ts'
import { announce } from '#ui/feedback/announce.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Button } from '#ui/input/button.tsx'
import { listWords } from '#views/shared/list-words.ts'
import { listPath } from '#views/shared/paths.ts'

export type ListEmptyProps = {
  total: number
  hasConditions: boolean
  /** The search and the filters that are answered; undefined while the answer is on its way. */
  answered: string | undefined
  firstPageHref: string
  onClear: () => void
  /** Texts of the list's definition. */
  words?: EmptyList | undefined
  /** Link to create the first record, where permitted. */
  create?: ReactNode
}

/** Announces each search that finds nothing: the counter of the pages, which announces all others, is not there. */
function useNoMatchAnnounced(answered: string | undefined) {
  const sayLabel = useSay()
  useEffect(() => {
    if (answered !== undefined) announce(sayLabel(listWords.noMatchText))
  }, [answered, sayLabel])
}

/** Explains why there are no rows and offers the next step. */
export function ListEmpty({ total, hasConditions, answered, firstPageHref, onClear, words, create }: ListEmptyProps) {
  const sayLabel = useSay()
  useNoMatchAnnounced(total === 0 && hasConditions ? answered : undefined)
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
