import { Suspense, useEffect, useRef, useState } from 'react'
import { providerKey } from '#pages/factor/provider-key.ts'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { isObject } from '#schema/is-object.ts'
import { home, safePath, signInPath } from '#schema/wire/safe-path.ts'
import { useShell } from '#shell/shell-services.ts'
import { useAddress, useHistory } from '#shell/use-address.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/input/button.tsx'
import { lazyCode } from '#ui/layout/lazy-chunk.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { ProblemBanner } from './problem-banner.tsx'
import { providerWords } from './provider-words.ts'
import { PublicLayout } from './public-layout.tsx'

const SecondStep = lazyCode(() => import('#pages/factor/second-step.tsx').then((module) => ({ default: module.SecondStep })))

type Stage = { message?: string; answer?: unknown; isSent?: boolean }

/** Passes the query to the waiting window, which has the session and the secret and makes the request. */
function tellWaiting(query: string): void {
  const channel = new BroadcastChannel(providerKey)
  channel.postMessage(query)
  channel.close()
  window.close()
}

function takeProof(): string {
  const proof = sessionStorage.getItem(providerKey)
  sessionStorage.removeItem(providerKey)
  return proof ?? 'none'
}

/** Completes this tab's sign-in attempt, once. The code is removed from the address and the history at once. */
function useReturn(): Stage & { restart: (reason?: string) => void } {
  const { call, enter } = useShell()
  const history = useHistory()
  const { pathname, search } = useAddress()
  const [stage, setStage] = useState<Stage>({})
  const isBegun = useRef(false)
  useEffect(() => {
    if (isBegun.current) return
    isBegun.current = true
    const query = search.slice(1)
    if (new URLSearchParams(query).get('state')?.startsWith('confirm-')) {
      tellWaiting(query)
      setStage({ isSent: true })
      return
    }
    const finish = async () => {
      const answer = await call('PUT', 'auth/oidc', { query, browser: takeProof() })
      const to = safePath(isObject(answer) ? answer.to : undefined)
      history.replace(to === home ? pathname : `${pathname}?to=${encodeURIComponent(to)}`)
      if (!enter(answer)) setStage({ answer: answer ?? {} })
    }
    history.replace(pathname)
    finish().catch((error: unknown) => setStage({ message: problemOf(error).message }))
  }, [call, enter, history, pathname, search])
  const restart = (message?: string) =>
    message === undefined ? history.replace(signInPath(new URLSearchParams(search).get('to') ?? home)) : setStage({ message })
  return { ...stage, restart }
}

/** Redirect target of the provider. */
export function ProviderPage() {
  const sayLabel = useSayLabel()
  const { message, answer, isSent, restart } = useReturn()
  const title = isSent ? 'sent' : message ? 'failed' : 'busy'
  return (
    <PublicLayout path="/login/provider" title={sayLabel(providerWords[title])}>
      {isSent && <p>{sayLabel(providerWords.close)}</p>}
      {message && (
        <div className="shell-form">
          <ProblemBanner message={message} />
          <Button kind="primary" onClick={() => restart()}>
            {sayLabel(providerWords.back)}
          </Button>
        </div>
      )}
      {answer !== undefined && (
        <Suspense>
          <SecondStep answer={answer} onRestart={restart} />
        </Suspense>
      )}
      {!isSent && !message && answer === undefined && <Skeleton lines={2} height={20} />}
    </PublicLayout>
  )
}
