import { useDataProvider } from '@refinedev/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWords } from '#shell/use-words.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { Card } from '#ui/layout/card.tsx'

/** Rows of the signed-in user: `useOwnRows<Session>('auth/session')`. */
export function useOwnRows<Row extends { id: string }>(url: string) {
  const dataProvider = useDataProvider()
  const { data, refetch, isError } = useQuery({
    queryKey: ['own', url],
    queryFn: async () => {
      const answer = await dataProvider().custom?.<Row[]>({ url, method: 'get' })
      return answer?.data ?? []
    },
  })
  return { rows: data, isError, refetch: () => void refetch() }
}

type OwnListProps<Row> = {
  title: string
  hint?: ReactNode
  none: string
  own: { rows: readonly Row[] | undefined; isError: boolean; refetch: () => void }
  draw: (row: Row) => { title: ReactNode; note: ReactNode; actions: ReactNode }
  /** Content below the rows. */
  children?: ReactNode
}

/** A list of the user's own items with their actions. */
export function OwnList<Row extends { id: string }>({ title, hint, none, own, draw, children }: OwnListProps<Row>) {
  const words = useWords()
  const { rows, isError, refetch } = own
  return (
    <Card title={title}>
      {hint && <p className="shell-own-note">{hint}</p>}
      {!rows && !isError && <Skeleton lines={2} height={20} />}
      {!rows && isError && <Button onClick={refetch}>{words('buttons.retry')}</Button>}
      {rows?.length === 0 && <p className="shell-own-note">{none}</p>}
      <ul className="shell-own">
        {rows?.map((row) => {
          const { title: name, note, actions } = draw(row)
          return (
            <li key={row.id}>
              <div className="shell-own-text">
                <span>{name}</span>
                <span className="shell-own-note">{note}</span>
              </div>
              <div className="ui-actions">{actions}</div>
            </li>
          )
        })}
      </ul>
      {children}
    </Card>
  )
}
