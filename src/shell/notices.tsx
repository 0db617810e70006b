import { Suspense } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { lazyWhenIdle } from '#ui/layout/when-idle.ts'
import { ReloadButton } from './errors/error-screen.tsx'
import { useIsStale } from './errors/stale-chunk.ts'
import { PushBanner } from './push-banner.tsx'
import { useOnline } from './use-online.ts'
import { useWords } from './use-words.ts'

const ReachBanner = lazyWhenIdle<object>(() =>
  import('./reach/reach-banner.tsx').then((module) => ({ default: module.ReachBanner })),
)

type NoticesProps = {
  /** Another user has signed in elsewhere while a form here holds unsaved input. */
  isConflict: boolean
  onReload: () => void
}

/** Banners of every page, at its top. */
export function Notices({ isConflict, onReload }: NoticesProps) {
  const words = useWords()
  const isStale = useIsStale()
  const isOnline = useOnline()
  return (
    <>
      {isConflict && (
        <Banner tone="bad" action={<Button onClick={onReload}>{words('session.conflict.reload')}</Button>}>
          <strong>{words('session.conflict.title')}</strong> {words('session.conflict.text')}
        </Banner>
      )}
      {isStale && (
        <Banner tone="warn" action={<ReloadButton />}>
          {words('errors.stale')}
        </Banner>
      )}
      {!isOnline && <Banner tone="warn">{words('errors.offline')}</Banner>}
      <Suspense fallback={null}>
        <ReachBanner />
      </Suspense>
      <PushBanner />
    </>
  )
}
