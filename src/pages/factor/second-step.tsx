import { type FormEvent, useState } from 'react'
import { isObject } from '#schema/is-object.ts'
import type { SignInChallenge } from '#schema/wire/wire.ts'
import { useShell } from '#shell/shell-services.ts'
import { useWords } from '#shell/use-words.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { CodeField } from './code-field.tsx'
import { factorWords } from './factor-words.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { type Enrolment, TotpSetup } from './totp-setup.tsx'
import { useSayLabel } from './use-say-label.ts'

type StepProps = {
  challenge: string
  /** Back to the password, with the reason. */
  onRestart: (reason?: string) => void
}

const isDead = (error: unknown) => problemOf(error).statusCode === 410

function readChallenge(answer: unknown): SignInChallenge | undefined {
  if (!isObject(answer) || typeof answer.challenge !== 'string') return undefined
  return { challenge: answer.challenge, step: answer.step === 'enrol' ? 'enrol' : 'code' }
}

type SecondStepProps = Pick<StepProps, 'onRestart'> & {
  /** Came instead of a session. */
  answer: unknown
}

/** The second half of a sign-in: a code, or the set-up that the role needs. */
export function SecondStep({ answer, onRestart }: SecondStepProps) {
  const sayLabel = useSayLabel()
  const words = useWords()
  const found = readChallenge(answer)
  const Step = found?.step === 'enrol' ? EnrolStep : CodeStep
  return (
    <>
      {found ? (
        <Step challenge={found.challenge} onRestart={onRestart} />
      ) : (
        <Banner tone="bad">{words('errors.unreadable')}</Banner>
      )}
      <Button kind="text" className="shell-form-aside" onClick={() => onRestart()}>
        {sayLabel(factorWords.restart)}
      </Button>
    </>
  )
}

function CodeStep({ challenge, onRestart }: StepProps) {
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
      if (isDead(error)) return onRestart(problemOf(error).message)
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
      <CodeField value={code} onChange={setCode} recovery />
      <Button kind="primary" type="submit" busy={isBusy}>
        {sayLabel(factorWords.signIn)}
      </Button>
    </form>
  )
}

const isEnrolment = (answer: unknown): answer is Enrolment =>
  isObject(answer) && typeof answer.secret === 'string' && typeof answer.uri === 'string'
const codesIn = (answer: unknown): string[] =>
  isObject(answer) && Array.isArray(answer.recoveryCodes) ? answer.recoveryCodes.map(String) : []

function EnrolStep({ challenge, onRestart }: StepProps) {
  const sayLabel = useSayLabel()
  const { call, enter } = useShell()
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [done, setDone] = useState<unknown>()
  const orRestart = async (task: () => Promise<void>) => {
    try {
      await task()
    } catch (error) {
      if (!isDead(error)) throw error
      onRestart(problemOf(error).message)
    }
  }
  const begin = async () => {
    const answer = await call('POST', 'auth/challenge/totp', { challenge })
    if (isEnrolment(answer)) setEnrolment(answer)
  }
  const confirm = async (code: string) => setDone(await call('PUT', 'auth/challenge/totp', { challenge, code }))
  if (done) return <RecoveryCodes codes={codesIn(done)} onKept={() => enter(done)} />
  if (enrolment) return <TotpSetup enrolment={enrolment} onConfirm={(code) => orRestart(() => confirm(code))} />
  return (
    <div className="shell-form">
      <p>{sayLabel(factorWords.enrolLead)}</p>
      <Button
        kind="primary"
        autoFocus
        onClick={() => void orRestart(begin).catch((error) => onRestart(problemOf(error).message))}
      >
        {sayLabel(factorWords.begin)}
      </Button>
    </div>
  )
}
