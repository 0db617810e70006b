import { useEffect, useState } from 'react'
import { providerKey } from '#pages/factor/provider-key.ts'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { isObject } from '#schema/is-object.ts'
import { useShell } from '#shell/shell-services.ts'
import { useAddress } from '#shell/use-address.ts'
import { Button } from '#ui/input/button.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { providerWords } from './provider-words.ts'

const labelIn = (answer: unknown): string | undefined => {
  const provider: unknown = isObject(answer) && answer.provider
  return isObject(provider) && typeof provider.label === 'string' ? provider.label : undefined
}

/** The label of the provider; undefined where there is none, or where another server than ours knows of no such call. */
function useProviderLabel(): string | undefined {
  const { call } = useShell()
  const [label, setLabel] = useState<string>()
  useEffect(() => {
    let isHere = true
    call('GET', 'auth/methods').then(
      (answer) => isHere && setLabel(labelIn(answer)),
      () => undefined,
    )
    return () => {
      isHere = false
    }
  }, [call])
  return label
}

/** Leads to the provider, where there is one. The proof of this tab stays here: the address alone opens nothing. */
export function ProviderButton({ onFault }: { onFault: (reason: string) => void }) {
  const sayLabel = useSayLabel()
  const { call } = useShell()
  const { search } = useAddress()
  const label = useProviderLabel()
  const [isBusy, setBusy] = useState(false)
  if (label === undefined) return null
  const begin = async () => {
    setBusy(true)
    try {
      const to = new URLSearchParams(search).get('to')
      const begun = await call('POST', 'auth/oidc', to === null ? {} : { to })
      if (!isObject(begun) || typeof begun.url !== 'string') throw new Error('the server names no provider')
      sessionStorage.setItem(providerKey, String(begun.browser))
      location.assign(begun.url)
    } catch (error) {
      setBusy(false)
      onFault(problemOf(error).message)
    }
  }
  return (
    <div className="shell-form">
      <Button busy={isBusy} onClick={() => void begin()}>
        {sayLabel(providerWords.signIn, { name: label })}
      </Button>
    </div>
  )
}
