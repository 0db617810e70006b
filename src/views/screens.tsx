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

/** The record does not exist, or not for this viewer. */
export function NotFound({ asPage = true, action }: Place) {
  const sayLabel = useSay()
  const words = { title: sayLabel(viewWords.notFoundTitle), subtitle: sayLabel(viewWords.notFoundText) }
  return <ErrorState asPage={asPage} icon="search" {...words} action={action} />
}

/** The address lacks the record's id. */
export function NoId({ action }: Place) {
  const sayLabel = useSay()
  return <ErrorState asPage title={sayLabel(recordWords.noIdTitle)} subtitle={sayLabel(recordWords.noIdText)} action={action} />
}

/** Same text as on the shell's error screen. */
const refreshPage: Label = ['Refresh the page', 'Обновить страницу']

export type LoadFailedProps = Place & { error: unknown; onRetry: () => void }

const byStatus: Readonly<Record<number, typeof Forbidden>> = { 403: Forbidden, 404: NotFound, 410: NotFound }

/** Data that could not be read: a screen for 403, 404 and 410, else the message of the server with a retry. */
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
