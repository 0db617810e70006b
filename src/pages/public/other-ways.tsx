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

/** Sign-in methods besides the password; none when a third-party server lacks the call. */
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

export function OtherWays({ onFault }: { onFault: (reason: string) => void }) {
  const { provider, passkeyOrigin } = useMethods()
  return (
    <div className="shell-form">
      <PasskeyButton origin={passkeyOrigin} onFault={onFault} />
      {provider !== undefined && <ProviderButton label={provider} onFault={onFault} />}
    </div>
  )
}
