import { type FormEvent, useState } from 'react'
import { isObject } from '#schema/is-object.ts'
import type { SignInChallenge } from '#schema/wire/wire.ts'
import { useShell } from '#shell/shell-services.ts'
import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { CodeField } from './code-field.tsx'
import { EnrolStep } from './enrol-step.tsx'
import { factorWords } from './factor-words.ts'
import { knowsPasskeys, signByPasskey } from './passkey-device.ts'
import { passkeyWords } from './passkey-words.ts'
import { isChallengeExpired, type StepProps } from './step-props.ts'
import { usePasskey } from './use-passkey.ts'
import { useSayLabel } from './use-say-label.ts'

const offers = (ways: unknown, way: string): boolean => Array.isArray(ways) && ways.includes(way)

/** A server that names no methods supports the app only. */
function readChallenge(answer: unknown): SignInChallenge | undefined {
  if (!isObject(answer) || typeof answer.challenge !== 'string') return undefined
  const { challenge, step, ways } = answer
  const named = (['app', 'passkey'] as const).filter((way) => offers(ways, way))
  return { challenge, step: step === 'enrol' ? 'enrol' : 'code', ways: Array.isArray(ways) ? named : ['app'] }
}

type SecondStepProps = Pick<StepProps, 'onRestart'> & {
  /** The sign-in response that requires a second step. */
  answer: unknown
}

/** Second step of a sign-in: a passkey, a code, or the setup that the role requires. */
export function SecondStep({ answer, onRestart }: SecondStepProps) {
  const sayLabel = useSayLabel()
  const words = useWords()
  const [isByCode, setByCode] = useState(false)
  const found = readChallenge(answer)
  const isByPasskey = !isByCode && knowsPasskeys() && offers(found?.ways, 'passkey')
  const Step = found?.step === 'enrol' ? EnrolStep : isByPasskey ? PasskeyStep : CodeStep
  return (
    <>
      {found ? (
        <Step challenge={found.challenge} ways={found.ways} onRestart={onRestart} onCode={() => setByCode(true)} />
      ) : (
        <Banner tone="bad">{words('errors.unreadable')}</Banner>
      )}
      <Button kind="text" className="shell-form-aside" onClick={() => onRestart()}>
        {sayLabel(factorWords.restart)}
      </Button>
    </>
  )
}

function PasskeyStep({ challenge, onRestart, onCode }: StepProps) {
  const sayLabel = useSayLabel()
  const { call, enter } = useShell()
  const { run, message, isBusy } = usePasskey()
  const prove = async () => {
    try {
      const response = await signByPasskey(await call('POST', 'auth/challenge/passkey', { challenge }))
      enter(await call('PUT', 'auth/challenge/passkey', { challenge, response }))
    } catch (error) {
      if (!isChallengeExpired(error)) throw error
      onRestart(problemOf(error).message)
    }
  }
  return (
    <div className="shell-form">
      {message && <Banner tone="bad">{message}</Banner>}
      <p>{sayLabel(passkeyWords.stepLead)}</p>
      <Button kind="primary" icon="key" autoFocus busy={isBusy} onClick={() => void run(prove)}>
        {sayLabel(passkeyWords.use)}
      </Button>
      <Button onClick={onCode}>{sayLabel(passkeyWords.useCode)}</Button>
    </div>
  )
}

function CodeStep({ challenge, ways, onRestart }: StepProps) {
  const sayLabel = useSayLabel()
  const { call, enter } = useShell()
  const [code, setCode] = useState('')
  const [message, setMessage] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    if (!code.trim()) return setMessage(sayLabel(factorWords.fillCode))
    setBusy(true)
    setMessage(undefined)
    try {
      enter(await call('POST', 'auth/challenge/code', { challenge, code: code.trim() }))
    } catch (error) {
      if (isChallengeExpired(error)) return onRestart(problemOf(error).message)
      setMessage(problemOf(error).message)
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void send()
  }
  return (
    <form className="shell-form" method="post" noValidate onSubmit={handleSubmit}>
      {message && <Banner tone="bad">{message}</Banner>}
      <CodeField value={code} onChange={setCode} recovery={ways.includes('app') ? 'too' : 'only'} />
      <Button kind="primary" type="submit" busy={isBusy}>
        {sayLabel(factorWords.signIn)}
      </Button>
    </form>
  )
}
