import { useWords } from '#shell/use-words.ts'
import { ErrorState } from '#ui/feedback/error-state.tsx'
import { Button } from '#ui/input/button.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { isChunkFailure, useIsStale } from './stale-chunk.ts'

const reload = () => location.reload()

/** Reloads the page: the last resort of every error. */
export function ReloadButton() {
  const words = useWords()
  return (
    <Button kind="primary" icon="refresh" onClick={reload}>
      {words('errors.reload')}
    </Button>
  )
}

/** True when React misses elements that it has drawn: a translation by the browser puts others in their places. */
const isChangedFromOutside = (error: unknown) => error instanceof DOMException && error.name === 'NotFoundError'

/** A page that failed to render: the error and the way on. */
export function ErrorScreen({ error }: { error: unknown }) {
  const words = useWords()
  const isStale = useIsStale() || isChunkFailure(error)
  // A server message is meant for users; a script error's text is not.
  const { statusCode, message } = problemOf(error)
  const subtitle = statusCode > 0 ? message : words(isChangedFromOutside(error) ? 'errors.changed' : 'errors.subtitle')
  return (
    <ErrorState
      asPage
      title={isStale ? words('errors.stale') : words('errors.title')}
      subtitle={subtitle}
      action={<ReloadButton />}
    />
  )
}
