import { useEffect, useState } from 'react'
import type { useInbox } from './use-inbox.ts'

type Place = { asked: unknown; place: number; id: string | undefined }

/**
 * Id of the record beside the rows: that of the address, else of the first row. It stays while its row is in the list, whatever
 * arrives above it; when the row leaves the list, the row that takes its place follows, in the address as well.
 */
export function useSelected({ address, rows, asked, list, go }: ReturnType<typeof useInbox>): string | undefined {
  const [last, setLast] = useState<Place>()
  const ids = rows?.map((row) => String(row.id)) ?? []
  const wanted = address.id ?? last?.id
  const here = wanted === undefined ? -1 : ids.indexOf(wanted)
  // Rows of another tab or page do not take the place of one of this.
  const isSame = last?.asked === asked && last.id === wanted
  const place = here >= 0 ? here : isSame ? Math.min(last.place, ids.length - 1) : 0
  const selected = here >= 0 || isSame || address.id === undefined ? ids[place] : address.id
  // Where the address has to follow first, its row is remembered when it has.
  const isSettled = rows && !list.isPlaceholderData && (here >= 0 || address.id === undefined)
  if (isSettled && (last?.id !== selected || last?.place !== place || last?.asked !== asked))
    setLast({ asked, place, id: selected })
  const follows = address.id !== undefined && address.id !== selected
  useEffect(() => {
    if (follows) go({ id: selected })
  }, [follows, selected, go])
  return selected
}
