import { useWords } from '#shell/use-words.ts'
import { ErrorState } from '#ui/feedback/error-state.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Button } from '#ui/input/button.tsx'

type MessageScreenProps = { status: number; name: string; icon: IconName }

/** A page with nothing but a message and the way home. */
function MessageScreen({ status, name, icon }: MessageScreenProps) {
  const words = useWords()
  const home = (
    <Button kind="primary" icon="home" href="/">
      {words('buttons.home')}
    </Button>
  )
  const title = `${status} · ${words(`errors.${name}.title`)}`
  return <ErrorState asPage icon={icon} title={title} subtitle={words(`errors.${name}.subtitle`)} action={home} />
}

/** The role may not open this page. No request was sent. */
export const ForbiddenScreen = () => <MessageScreen status={403} name="forbidden" icon="ban" />
/** No page has this address. */
export const NotFoundScreen = () => <MessageScreen status={404} name="notFound" icon="search" />
