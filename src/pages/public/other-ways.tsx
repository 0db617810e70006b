import { useEffect, useState } from 'react'
import { isObject } from '#schema/is-object.ts'
import { useShell } from '#shell/shell-services.ts'
import { PasskeyButton } from './passkey-button.tsx'
import { ProviderButton } from './provider-button.tsx'

type Methods = { provider?: string; passkeyOrigin?: string }

function methodsIn(answer: unknown): Methods {
  if (!isObject(answer)) return {}
  const { provider, passkeyOrigin } = answer
  return {
    ...(isObject(provider) && typeof provider.label === 'string' && { provider: provider.label }),
    ...(typeof passkeyOrigin === 'string' && { passkeyOrigin }),
  }
}

/** Ways to sign in beside the password; none where another server than ours knows of no such call. */
function useMethods(): Methods {
  const { call } = useShell()
  const [methods, setMethods] = useState<Methods>({})
  useEffect(() => {
    let isHere = true
    call('GET', 'auth/methods').then(
      (answer) => isHere && setMethods(methodsIn(answer)),
      () => undefined,
    )
    return () => {
      isHere = false
    }
  }, [call])
  return methods
}

/** Buttons for what signs in beside the password. */
export function OtherWays({ onFault }: { onFault: (reason: string) => void }) {
  const { provider, passkeyOrigin } = useMethods()
  return (
    <div className="shell-form">
      <PasskeyButton origin={passkeyOrigin} onFault={onFault} />
      {provider !== undefined && <ProviderButton label={provider} onFault={onFault} />}
    </div>
  )
}
