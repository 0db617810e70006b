import { useState, useSyncExternalStore } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { type PushControl, useShell } from './shell-services.ts'
import { useWords } from './use-words.ts'

/** Offers to enable notifications, until permitted or closed. */
export function PushBanner() {
  const { push } = useShell()
  return push ? <Ask push={push} /> : null
}

function Ask({ push }: { push: PushControl }) {
  const words = useWords()
  const permission = useSyncExternalStore(push.subscribe, push.permission)
  const [isHidden, setHidden] = useState(push.isHidden)
  const [isBusy, setBusy] = useState(false)
  if (permission === 'granted' || isHidden) return null
  const hide = () => {
    push.hide()
    setHidden(true)
  }
  const allow = async () => {
    setBusy(true)
    await push.allow().finally(() => setBusy(false))
  }
  return (
    <Banner
      onDismiss={hide}
      action={
        <Button size="small" busy={isBusy} onClick={() => void allow()}>
          {words('push.allow')}
        </Button>
      }
    >
      {words('push.ask')}
    </Banner>
  )
}
