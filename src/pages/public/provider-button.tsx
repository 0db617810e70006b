import { useState } from 'react'
import { providerKey } from '#pages/factor/provider-key.ts'
import { useSayLabel } from '#pages/factor/use-say-label.ts'
import { isObject } from '#schema/is-object.ts'
import { useShell } from '#shell/shell-services.ts'
import { useAddress } from '#shell/use-address.ts'
import { Button } from '#ui/input/button.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { providerWords } from './provider-words.ts'

type ProviderButtonProps = { label: string; onFault: (reason: string) => void }

/** Redirects to the provider. The attempt's secret stays in this tab, so the redirect URL alone is useless. */
export function ProviderButton({ label, onFault }: ProviderButtonProps) {
  const sayLabel = useSayLabel()
  const { call } = useShell()
  const { search } = useAddress()
  const [isBusy, setBusy] = useState(false)
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
    <Button busy={isBusy} onClick={() => void begin()}>
      {sayLabel(providerWords.signIn, { name: label })}
    </Button>
  )
}
