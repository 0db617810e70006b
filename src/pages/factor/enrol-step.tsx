import { useState } from 'react'
import { isObject } from '#schema/is-object.ts'
import { useShell } from '#shell/shell-services.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { Button } from '#ui/input/button.tsx'
import { problemOf } from '#views/shared/problem.ts'
import { factorWords } from './factor-words.ts'
import { knowsPasskeys, makePasskey } from './passkey-device.ts'
import { passkeyWords } from './passkey-words.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { isChallengeExpired, type StepProps } from './step-props.ts'
import { type Enrolment, TotpSetup } from './totp-setup.tsx'
import { usePasskey } from './use-passkey.ts'
import { useSayLabel } from './use-say-label.ts'

const isEnrolment = (answer: unknown): answer is Enrolment =>
  isObject(answer) && typeof answer.secret === 'string' && typeof answer.uri === 'string'
const codesIn = (answer: unknown): string[] =>
  isObject(answer) && Array.isArray(answer.recoveryCodes) ? answer.recoveryCodes.map(String) : []

const passkeyPath = 'auth/challenge/passkey/enrol'

/** Sets up the factor that the role needs: an app or a passkey. */
export function EnrolStep({ challenge, ways, onRestart }: StepProps) {
  const sayLabel = useSayLabel()
  const { call, enter } = useShell()
  const [enrolment, setEnrolment] = useState<Enrolment>()
  const [done, setDone] = useState<unknown>()
  const { run, message, isBusy } = usePasskey()
  const orRestart = async (task: () => Promise<void>) => {
    try {
      await task()
    } catch (error) {
      if (!isChallengeExpired(error)) throw error
      onRestart(problemOf(error).message)
    }
  }
  const begin = async () => {
    const answer = await call('POST', 'auth/challenge/totp', { challenge })
    if (isEnrolment(answer)) setEnrolment(answer)
  }
  const confirm = async (code: string) => setDone(await call('PUT', 'auth/challenge/totp', { challenge, code }))
  const addPasskey = async () => {
    const response = await makePasskey(await call('POST', passkeyPath, { challenge }))
    setDone(await call('PUT', passkeyPath, { challenge, response }))
  }
  if (done) return <RecoveryCodes codes={codesIn(done)} onKept={() => enter(done)} />
  if (enrolment) return <TotpSetup enrolment={enrolment} onConfirm={(code) => orRestart(() => confirm(code))} />
  return (
    <div className="shell-form">
      {message && <Banner tone="bad">{message}</Banner>}
      <p>{sayLabel(factorWords.enrolLead)}</p>
      <Button
        kind="primary"
        autoFocus
        onClick={() => void orRestart(begin).catch((error) => onRestart(problemOf(error).message))}
      >
        {sayLabel(factorWords.begin)}
      </Button>
      {ways.includes('passkey') && knowsPasskeys() && (
        <Button icon="key" busy={isBusy} onClick={() => void run(() => orRestart(addPasskey))}>
          {sayLabel(passkeyWords.add)}
        </Button>
      )}
    </div>
  )
}
