import { useWords } from '#shell/use-words.ts'
import { ErrorState } from '#ui/feedback/error-state.tsx'
import { Button } from '#ui/input/button.tsx'

function HomeButton() {
  const words = useWords()
  return (
    <Button kind="primary" icon="home" href="/">
      {words('buttons.home')}
    </Button>
  )
}

/** 403: the role may not open this page. No request was sent. */
export function ForbiddenScreen() {
  const words = useWords()
  return (
    <ErrorState
      asPage
      icon="ban"
      title={`403 · ${words('errors.forbidden.title')}`}
      subtitle={words('errors.forbidden.subtitle')}
      action={<HomeButton />}
    />
  )
}

/** 404: no page has this address. */
export function NotFoundScreen() {
  const words = useWords()
  return (
    <ErrorState
      asPage
      icon="search"
      title={`404 · ${words('errors.notFound.title')}`}
      subtitle={words('errors.notFound.subtitle')}
      action={<HomeButton />}
    />
  )
}
