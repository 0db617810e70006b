import type { ReactNode } from 'react'
import { useSay } from '#fields/definitions.tsx'
import type { Label } from '#schema/words.ts'
import { ErrorState } from '#ui/feedback/error-state.tsx'
import { Button } from '#ui/input/button.tsx'
import { problemOf } from './shared/problem.ts'
import { viewWords } from './shared/words.ts'
import { recordWords } from './show/record-words.ts'

type Place = { asPage?: boolean; action?: ReactNode }

/** The viewer's role does not allow this. */
export function Forbidden({ asPage = true, action }: Place) {
  const sayLabel = useSay()
  const words = { title: sayLabel(viewWords.forbiddenTitle), subtitle: sayLabel(viewWords.forbiddenText) }
  return <ErrorState asPage={asPage} icon="lock" {...words} action={action} />
}

/** There is no such record for this viewer. */
export function NotFound({ asPage = true, action }: Place) {
  const sayLabel = useSay()
  const words = { title: sayLabel(viewWords.notFoundTitle), subtitle: sayLabel(viewWords.notFoundText) }
  return <ErrorState asPage={asPage} icon="search" {...words} action={action} />
}

/** The address of a record without its id. */
export function NoId({ action }: Place) {
  const sayLabel = useSay()
  return <ErrorState asPage title={sayLabel(recordWords.noIdTitle)} subtitle={sayLabel(recordWords.noIdText)} action={action} />
}

/** The words of the shell's error screen: to a reader a page that could not be loaded is one and the same. */
const refreshPage: Label = ['Refresh the page', 'Обновить страницу']

export type LoadFailedProps = Place & { error: unknown; onRetry: () => void }

const byStatus: Readonly<Record<number, typeof Forbidden>> = { 403: Forbidden, 404: NotFound, 410: NotFound }

/** Error screen for a failed load. */
export function LoadFailed({ error, onRetry, asPage = true, action }: LoadFailedProps) {
  const sayLabel = useSay()
  const { statusCode, message } = problemOf(error)
  const Known = byStatus[statusCode]
  if (Known) return <Known asPage={asPage} action={action} />
  const retry = (
    <Button icon="refresh" onClick={onRetry}>
      {sayLabel(asPage ? refreshPage : viewWords.retry)}
    </Button>
  )
  return <ErrorState asPage={asPage} title={sayLabel(viewWords.failedTitle)} subtitle={message} action={retry} />
}
